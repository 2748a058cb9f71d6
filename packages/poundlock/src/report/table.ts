// Many results side by side: only what differs gets a column.
import type { Parameters, Verdict } from '@poundlock/core/internal/finding';
import type { Paint } from './paint.ts';
import { counted, grouped } from '@poundlock/core/internal/base';
import { isChecked, type CheckReport, type Outcome } from './report.ts';
import { verdictPaint } from './summary.ts';
import { padded, widthOf } from './width.ts';

/** A column of the table, and how its cells are painted. */
export interface Column {
  readonly title: string;
  readonly cell: (outcome: Outcome) => string;
  readonly side?: 'left';
  readonly paint?: (outcome: Outcome) => (text: string) => string;
}

export const COULD_NOT_RUN = 'could not run';

export const FILE_COLUMN: Column = { title: 'file', cell: (outcome) => outcome.file };

function parametersOf(outcome: Outcome): Parameters {
  return isChecked(outcome) ? outcome.result.params : (outcome.params ?? {});
}

/** The parameters that have several values for one file, in order of appearance. */
function varying(outcomes: readonly Outcome[]): string[] {
  const byFile = Map.groupBy(outcomes, (outcome) => outcome.file);
  const names = new Set(outcomes.flatMap((outcome) => Object.keys(parametersOf(outcome))));
  return [...names].filter((name) =>
    [...byFile.values()].some(
      (group) => new Set(group.map((outcome) => parametersOf(outcome)[name])).size > 1,
    ),
  );
}

/** The columns in which these results differ, and what they say; none is empty. */
export function columnsOf(outcomes: readonly Outcome[], paint: Paint): Column[] {
  const columns: Column[] = [];
  if (new Set(outcomes.map((outcome) => outcome.file)).size > 1) {
    columns.push(FILE_COLUMN);
  }
  for (const name of varying(outcomes)) {
    columns.push({ title: name, cell: (outcome) => String(parametersOf(outcome)[name] ?? '') });
  }
  columns.push(
    {
      title: 'verdict',
      cell: (outcome) => (isChecked(outcome) ? outcome.result.verdict : COULD_NOT_RUN),
      paint: (outcome) =>
        isChecked(outcome) ? verdictPaint(outcome.result.verdict, paint) : paint.error,
    },
    {
      title: 'rule',
      cell: (outcome) => (isChecked(outcome) ? (outcome.result.findings[0]?.rule ?? '') : ''),
    },
    {
      title: 'states',
      cell: (outcome) => (isChecked(outcome) ? grouped(outcome.result.stats.states) : ''),
      side: 'left',
    },
  );
  return columns.filter(({ cell }) => outcomes.some((outcome) => cell(outcome) !== ''));
}

/** Renders the table with a heading. */
export function resultTable(outcomes: readonly Outcome[], paint: Paint): string[] {
  const columns = columnsOf(outcomes, paint);
  const widths = columns.map(({ title, cell }) =>
    Math.max(widthOf(title), ...outcomes.map((outcome) => widthOf(cell(outcome)))),
  );
  const heading = columns.map(({ title, side }, at) => padded(title, widths[at]!, side));
  const rows = outcomes.map((outcome) =>
    columns.map((column, at) => {
      const text = padded(column.cell(outcome), widths[at]!, column.side);
      return column.paint === undefined ? text : column.paint(outcome)(text);
    }),
  );
  return [heading.map(paint.faint), ...rows].map((cells) => cells.join('  ').trimEnd());
}

const PLURALS: Readonly<Record<Verdict | typeof COULD_NOT_RUN, string>> = {
  certified: 'certified',
  counterexample: 'counterexamples',
  inconclusive: 'inconclusive',
  [COULD_NOT_RUN]: COULD_NOT_RUN,
};

/** `3 results: 2 certified, 1 counterexample`. */
export function totalLine({ outcomes, skipped }: CheckReport): string {
  const verdicts = outcomes.map((outcome) =>
    isChecked(outcome) ? outcome.result.verdict : COULD_NOT_RUN,
  );
  const parts = Object.entries(PLURALS).flatMap(([verdict, plural]) => {
    const number = verdicts.filter((one) => one === verdict).length;
    return number === 0 ? [] : [`${grouped(number)} ${number === 1 ? verdict : plural}`];
  });
  if (skipped > 0) parts.push(`${grouped(skipped)} not checked`);
  return `${counted(outcomes.length, 'result')}: ${parts.join(', ')}`;
}
