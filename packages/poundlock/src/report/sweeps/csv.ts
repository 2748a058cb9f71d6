// A sweep as CSV: numbers without units, one line for each set of parameters.
import { columnsOfSweep } from './columns.ts';
import type { SweepReport } from './sweep.ts';

/** A cell, in quotes where it has to be; no cell is a formula for a spreadsheet. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The table of a sweep as CSV. */
export function sweepCsv(report: SweepReport): string {
  const columns = columnsOfSweep(report);
  const heading = [...columns.map(({ name }) => name), 'front'];
  const rows = report.rows.map((row) => [
    ...columns.map(({ value }) => value(row)),
    Number(row.isFront),
  ]);
  return [heading, ...rows].map((line) => `${line.map(cell).join(',')}\n`).join('');
}

/** The report as one JSON document. */
export function sweepJson(report: SweepReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
