// Tables of how well a model predicts measurements, compared with simpler models.
import type { ChoiceSummary, Costs, ErrorSummary } from '../simulate/index.ts';
import { padded, widthOf } from './width.ts';

/** One predictor, with its errors on the rows to which it was fitted and on those held out. */
export interface Predictor {
  readonly name: string;
  readonly fitted: readonly ErrorSummary[];
  readonly heldBack: readonly ErrorSummary[];
}

export interface CalibrationReport {
  readonly predictors: readonly Predictor[];
  /** Pairs that differ in `order` by more than 2 %: how many, and how many are ranked correctly. */
  readonly pairs: readonly {
    readonly name: string;
    readonly right: number;
    readonly all: number;
  }[];
  readonly choices: readonly (ChoiceSummary & { readonly what: string })[];
  readonly costs: Costs;
}

type Row = readonly string[];

/** A Markdown table, which is also readable in a terminal. */
export function markdownTable(rows: readonly Row[]): string[] {
  const [heading, ...body] = rows;
  const widths = heading!.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]!)), 3));
  // Names are left-aligned, numbers right-aligned.
  const sideOf = (at: number) => (at === 0 ? 'right' : 'left');
  const line = (row: Row): string =>
    `| ${row.map((cell, at) => padded(cell, widths[at]!, sideOf(at))).join(' | ')} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(heading!), `| ${rule.join(' | ')} |`, ...body.map(line)];
}

/** A share in percent, as tables show it. */
export const percent = (value: number): string =>
  Number.isNaN(value) ? '–' : `${value.toFixed(2)} %`;

function errorRows({ name, fitted, heldBack }: Predictor): Row[] {
  return fitted.map((one) => {
    const held = heldBack.find((other) => other.kernel === one.kernel);
    const cells = [one, held].flatMap((summary) =>
      summary === undefined
        ? ['–', '–', '–']
        : [String(summary.runs), percent(summary.medianPercent), percent(summary.p95Percent)],
    );
    return [`${one.kernel}, ${name}`, ...cells];
  });
}

/** Errors of rows that were predicted by parameters fitted without them. */
export function foldTable(summaries: readonly ErrorSummary[]): string {
  const rows = summaries.map(({ kernel, runs, medianPercent, p95Percent, worstPercent }) => {
    return [kernel, String(runs), ...[medianPercent, p95Percent, worstPercent].map(percent)];
  });
  const lines = markdownTable([['program, held back', 'rows', 'median', 'p95', 'worst'], ...rows]);
  return `${lines.join('\n')}\n`;
}

/** The tables of bench/results/calibration.md. */
export function calibrationTables(report: CalibrationReport): string {
  const titles = ['program, predictor', 'rows', 'median', 'p95', 'held back', 'median', 'p95'];
  const programs = report.predictors[0]?.fitted.map((one) => one.kernel) ?? [];
  const errors = programs.flatMap((kernel) =>
    report.predictors.flatMap((predictor) =>
      errorRows(predictor).filter(([name]) => name!.startsWith(`${kernel},`)),
    ),
  );
  const pairs = report.pairs.map(({ name, right, all }) => {
    return [name, String(all), String(right), percent((100 * right) / all)];
  });
  const choices = report.choices.map(({ what, groups, nearBest }) => {
    return [what, String(groups), String(nearBest), percent((100 * nearBest) / groups)];
  });
  const costs = Object.entries(report.costs).map(([name, value]) => {
    return [name, String(Number((value as number).toPrecision(5)))];
  });
  const parts = [
    markdownTable([titles, ...errors]),
    markdownTable([['scoped or linear, beyond 2 %', 'pairs', 'right', 'share'], ...pairs]),
    markdownTable([
      ['best choice within 2 % of the best', 'groups', 'within', 'share'],
      ...choices,
    ]),
    markdownTable([['parameter', 'value'], ...costs]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
