// A sweep in the terminal: its table, and the Pareto front.
import type { Paint } from '../paint.ts';
import { padded, widthOf } from '../width.ts';
import { columnsOfSweep, kibibytes, remarkOf, type SweepColumn } from './columns.ts';
import {
  bestOfValues,
  countOf,
  frontRows,
  timeOf,
  type SweepReport,
  type SweptRow,
} from './sweep.ts';
import { verdictLines } from './verdicts.ts';

/** The lines of a sweep. */
export function sweepText(report: SweepReport, paint: Paint): string {
  const { kernel, model, verbs } = report;
  const ofModel = verbs.includes('check') && verbs.length === 1 ? '' : ` · model: ${model}`;
  const lines = [
    `${paint.strong(kernel)}: ${countOf(report)}${ofModel}`,
    '',
    ...tableLines(report, paint),
    ...verdictLines(report).map((line) => `   ${line}`),
    ...valueLines(report, paint),
    ...frontLines(report, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function tableLines(report: SweepReport, paint: Paint): string[] {
  const columns = columnsOfSweep(report);
  const { rows } = report;
  const widths = columns.map(({ title, shown }) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(shown(row)))),
  );
  const line = (cell: (column: SweepColumn) => string, painted?: (text: string) => string) =>
    columns
      .map((column, at) => {
        const text = padded(cell(column), widths[at]!, column.isNumber ? 'left' : 'right');
        return column.name === 'remark' || painted === undefined ? text : painted(text);
      })
      .join('  ')
      .trimEnd();
  return [
    paint.faint(line(({ title }) => title)),
    ...rows.map((row) => paintOf(row, paint)(line(({ shown }) => shown(row)))),
  ];
}

function paintOf(row: SweptRow, paint: Paint): (text: string) => string {
  if (row.error !== undefined || row.check?.verdict === 'counterexample') return paint.error;
  if (row.isFront) return paint.good;
  return remarkOf(row) === '' ? (text) => text : paint.warning;
}

/** What each value costs where the other parameters are chosen as well as can be. */
function valueLines(report: SweepReport, paint: Paint): string[] {
  const byName = Map.groupBy(bestOfValues(report), ({ name }) => name);
  const width = Math.max(0, ...[...byName.keys()].map(widthOf));
  const lines = [...byName].map(([name, values]) => {
    const cells = values.map(({ value, slower }) => `${value}: ${slower.toFixed(3)}`);
    return `${padded(name, width)}  ${cells.join('  ')}`;
  });
  if (lines.length === 0) return [];
  return ['', paint.strong('Best time with each value, by that of the best row:'), ...lines];
}

/** The choices that are worth a look, and what each step more in memory gains. */
function frontLines(report: SweepReport, paint: Paint): string[] {
  const front = frontRows(report);
  const fastest = front.at(-1);
  if (fastest === undefined) return [];
  const checked = report.verbs.includes('check') ? 'certified, and fits' : 'fits';
  const lines = front.map((row, at) => {
    const before = front[at - 1];
    const gain = before === undefined ? null : timeOf(before) / timeOf(row);
    const slower = timeOf(row) / timeOf(fastest);
    return [
      padded(kibibytes(row.simulate!.sharedBytes), 9, 'left'),
      sweptText(row, report.swept),
      slower === 1 ? 'the fastest' : `${slower.toFixed(2)}× the time of the fastest`,
      ...(gain === null ? [] : [`${((gain - 1) * 100).toFixed(1)} % faster than the line above`]),
    ].join('  ');
  });
  return ['', paint.strong(`Pareto front of time and shared memory (${checked}):`), ...lines];
}

/** `stages=3 accumStages=2`. */
export function sweptText(row: SweptRow, swept: readonly string[]): string {
  return swept.map((name) => `${name}=${row.params[name] ?? row.swept[name]}`).join(' ');
}
