// Many runs in the terminal: a table with bars, and the knee of a sweep marked.
import type { Report, ReportedSimulation } from '@poundlock/core/internal/finding';
import type { Paint } from '../paint.ts';
import { kneeIndex, sweepTable } from '../simulation.ts';
import { padded, widthOf } from '../width.ts';

const BAR_COLUMNS = 32;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `share` times the columns, to an eighth of a column. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  return '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!;
}

/** The lines of the table. */
export function sweepLines(
  report: Report,
  runs: readonly ReportedSimulation[],
  paint: Paint,
): string[] {
  const { heading, rows } = sweepTable(runs);
  const knee = kneeIndex(report, runs);
  const most = Math.max(...runs.map((run) => run.totalCycles));
  const titles = heading.map(({ title }) => title);
  const widths = titles.map((title, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at]!))),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => padded(cell, widths[at]!, 'left')).join('  ');
  return [
    paint.faint(line(titles)),
    ...rows.map((row, at) => {
      const drawn = bar(runs[at]!.totalCycles / most, BAR_COLUMNS);
      const mark = at === knee ? paint.good(' ◀ knee: within 1 % of the best') : '';
      return `${line(row)}  ${paint.frame(drawn)}${mark}`;
    }),
  ];
}
