// Many runs in the terminal: a table with bars, and the knee of a sweep marked.
import type { Paint } from '../paint.ts';
import { grouped } from '@poundlock/core/internal/base';
import { padded, widthOf } from '../width.ts';
import { kneeOf } from './knee.ts';
import type { SimulatedRun, SimulationReport } from './report.ts';

const BAR_COLUMNS = 32;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `share` times the columns, to an eighth of a column. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  return '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!;
}

/** The parameters in which the runs differ. */
export function varyingParameters(runs: readonly SimulatedRun[]): string[] {
  const [first] = runs;
  return Object.keys(first?.params ?? {}).filter((name) =>
    runs.some((run) => run.params[name] !== first!.params[name]),
  );
}

/** The knee is told where one parameter was swept: of several there is a front, not a knee. */
export function sweepTable(report: SimulationReport, paint: Paint): string[] {
  const { runs, swept } = report;
  const names = varyingParameters(runs);
  const knee = swept.length === 1 && runs.length > 1 ? kneeOf(runs) : -1;
  const most = Math.max(...runs.map((run) => run.totalCycles));
  const rows = runs.map((run) => [
    ...names.map((name) => String(run.params[name])),
    grouped(run.totalCycles),
  ]);
  const titles = [...names, 'cycles'];
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
