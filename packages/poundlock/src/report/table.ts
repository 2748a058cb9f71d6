// Check results side by side: a column only for what differs.
import { counted, grouped } from '@poundlock/core/internal/base';
import {
  isFailure,
  type FailureVerdict,
  resultsOf,
  type Parameters,
  type Report,
  type ReportedCheck,
  type ReportedFailure,
  type Verdict,
  type WithFindings,
} from '@poundlock/core/internal/finding';
import type { Paint } from './paint.ts';
import { verdictPaint } from './summary.ts';
import { padded, widthOf } from './width.ts';

/** A row of the table: a checked kernel, or a file that could not be run. */
export type CheckRow = WithFindings<ReportedCheck> | ReportedFailure;

/** A column of the table, and how its cells are painted. */
export interface Column {
  readonly title: string;
  readonly cell: (row: CheckRow) => string;
  readonly side?: 'left';
  readonly paint?: (row: CheckRow) => (text: string) => string;
}

export const COULD_NOT_RUN = 'could not run';

const FILE_COLUMN: Column = { title: 'file', cell: (row) => row.file };
const FROM_COLUMN: Column = { ...FILE_COLUMN, title: 'from' };

/** Columns with the file in front, where they have none. */
export function withFile(columns: readonly Column[]): readonly Column[] {
  const hasFile = columns.includes(FILE_COLUMN) || columns.includes(FROM_COLUMN);
  return hasFile ? columns : [FILE_COLUMN, ...columns];
}

/** What a file without a result came to. */
export function failureWord({ verdict }: ReportedFailure): FailureVerdict | typeof COULD_NOT_RUN {
  return verdict ?? COULD_NOT_RUN;
}

/** The verdict of a row as text. */
export function verdictOf(row: CheckRow): Verdict | typeof COULD_NOT_RUN {
  return isFailure(row) ? failureWord(row) : row.verdict;
}

function parametersOf(row: CheckRow): Parameters {
  return row.params ?? {};
}

/** The parameters that have several values for one file, in order of appearance. */
function varying(rows: readonly CheckRow[]): string[] {
  const byFile = Map.groupBy(rows, (row) => row.file);
  const names = new Set(rows.flatMap((row) => Object.keys(parametersOf(row))));
  return [...names].filter((name) =>
    [...byFile.values()].some(
      (group) => new Set(group.map((row) => parametersOf(row)[name])).size > 1,
    ),
  );
}

/** Whether a row is of a kernel whose launch was inferred. */
function isInferred(row: CheckRow): boolean {
  return !isFailure(row) && row.launch?.from === 'inferred';
}

/** The exit code of a command that has this verdict alone. */
const EXITS: Readonly<Record<Verdict | FailureVerdict | typeof COULD_NOT_RUN, string>> = {
  certified: '0',
  counterexample: '1',
  [COULD_NOT_RUN]: '2',
  inconclusive: '3',
};

/** The columns of kernels without launch files: where each comes from, and what it took. */
function columnsOfKernels(paint: Paint): Column[] {
  const seconds = (row: CheckRow): string =>
    isFailure(row) ? '' : (row.stats.elapsedMs / 1000).toFixed(1);
  return [
    { title: 'kernel', cell: (row) => (isFailure(row) ? '' : row.kernel) },
    FROM_COLUMN,
    verdictColumn(paint),
    RULE_COLUMN,
    { title: 'exit', cell: (row) => EXITS[verdictOf(row)], side: 'left' },
    { title: 's', cell: seconds, side: 'left' },
  ];
}

function verdictColumn(paint: Paint): Column {
  return {
    title: 'verdict',
    cell: verdictOf,
    paint: (row) => (isFailure(row) ? paint.error : verdictPaint(row.verdict, paint)),
  };
}

const RULE_COLUMN: Column = {
  title: 'rule',
  cell: (row) => (isFailure(row) ? '' : (row.findings[0]?.rule ?? '')),
};

/** The columns in which these results differ, with their cells; none is empty. */
export function columnsOf(rows: readonly CheckRow[], paint: Paint): Column[] {
  return allColumns(rows, paint).filter(({ cell }) => rows.some((row) => cell(row) !== ''));
}

function allColumns(rows: readonly CheckRow[], paint: Paint): Column[] {
  if (rows.some(isInferred)) return columnsOfKernels(paint);
  const columns: Column[] = [];
  if (new Set(rows.map((row) => row.file)).size > 1) columns.push(FILE_COLUMN);
  for (const name of varying(rows)) {
    columns.push({ title: name, cell: (row) => String(parametersOf(row)[name] ?? '') });
  }
  columns.push(verdictColumn(paint), RULE_COLUMN, {
    title: 'states',
    cell: (row) => (isFailure(row) ? '' : grouped(row.stats.states)),
    side: 'left',
  });
  return columns;
}

/** Renders the table with a heading. */
export function resultTable(rows: readonly CheckRow[], paint: Paint): string[] {
  const columns = columnsOf(rows, paint);
  const widths = columns.map(({ title, cell }) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(cell(row)))),
  );
  const heading = columns.map(({ title, side }, at) => padded(title, widths[at]!, side));
  const lines = rows.map((row) =>
    columns.map((column, at) => {
      const text = padded(column.cell(row), widths[at]!, column.side);
      return column.paint === undefined ? text : column.paint(row)(text);
    }),
  );
  return [heading.map(paint.faint), ...lines].map((cells) => cells.join('  ').trimEnd());
}

const PLURALS: Readonly<Record<Verdict | typeof COULD_NOT_RUN, string>> = {
  certified: 'certified',
  counterexample: 'counterexamples',
  inconclusive: 'inconclusive',
  [COULD_NOT_RUN]: COULD_NOT_RUN,
};

/** `3 results: 2 certified, 1 counterexample`. */
export function totalLine(report: Report<'check'>): string {
  const verdicts = resultsOf(report).map(verdictOf);
  const parts = Object.entries(PLURALS).flatMap(([verdict, plural]) => {
    const number = verdicts.filter((one) => one === verdict).length;
    return number === 0 ? [] : [`${grouped(number)} ${number === 1 ? verdict : plural}`];
  });
  if (report.skipped > 0) parts.push(`${grouped(report.skipped)} not checked`);
  return `${counted(verdicts.length, 'result')}: ${parts.join(', ')}`;
}
