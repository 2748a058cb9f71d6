// The rows of a diagram: a step each, equal steps of several roles in one, repeated laps in one.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { folded } from '@poundlock/core/internal/replay';
import { counted, grouped } from '@poundlock/core/internal/base';
import { agentName } from '../lanes.ts';
import { foldedText } from '../trace.ts';
import { withoutAlike } from './alike.ts';
import { rowKey, type Row, type StepRow } from './row.ts';
import { signatureOf, type Column } from './columns.ts';

/** The number of rows up to which a schedule is shown as it is. */
const MAX_UNFOLDED = 48;
/** The shown rows of a longer schedule after its laps are folded. */
const SHOWN = { first: 40, last: 80 };

/** The rows of a schedule; with `all`, none is hidden. */
export function rowsOf(
  trace: readonly TraceStep[],
  columns: readonly Column[],
  all: boolean,
): Row[] {
  const rows = stepRows(trace, columns);
  if (all || rows.length <= MAX_UNFOLDED) return rows;
  const short = withoutLaps(trace, withoutAlike(trace, rows));
  const { first, last } = SHOWN;
  if (short.length <= first + last + 1) return short;
  const [from, to] = [short[first]!.first, short[short.length - last - 1]!.last];
  const text = foldedText(trace, [from, to + 1]).replace(/^⋮ /, '');
  const hidden: Row = { kind: 'hidden', first: from, last: to, text };
  return [...short.slice(0, first), hidden, ...short.slice(-last)];
}

function stepRows(trace: readonly TraceStep[], columns: readonly Column[]): StepRow[] {
  const columnOf = new Map(
    columns.flatMap(({ members }, at) => members.map((name) => [name, at] as const)),
  );
  const rows: StepRow[] = [];
  for (let first = 0; first < trace.length;) {
    const last = lastEqual(trace, first, columnOf);
    const steps = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const byColumn = Map.groupBy(steps, (step) => columnOf.get(agentName(trace[step]!))!);
    const marks = [...byColumn].map(([column, own]) => ({ column, steps: own }));
    rows.push({ kind: 'steps', first, last, marks });
    first = last + 1;
  }
  return rows;
}

/**
 * The last of the consecutive steps from `first` on that different roles make alike. A step that
 * one of them let pass is below it.
 */
function lastEqual(
  trace: readonly TraceStep[],
  first: number,
  columnOf: ReadonlyMap<string, number>,
): number {
  const start = trace[first]!;
  if (start.kind === 'unit') return first;
  const agents = new Set([start.agent]);
  let at = first + 1;
  for (; at < trace.length; at++) {
    const step = trace[at]!;
    if (step.kind === 'unit' || agents.has(step.agent)) break;
    if (step.from !== undefined && step.from > first) break;
    if (!isSame(start, step, columnOf)) break;
    agents.add(step.agent);
  }
  return at - 1;
}

/** Roles of one column may do the same with their own parts of a buffer. */
function isSame(one: TraceStep, other: TraceStep, columnOf: ReadonlyMap<string, number>): boolean {
  if (signatureOf(one) !== signatureOf(other)) return false;
  if (one.text === other.text) return true;
  const changes = [one, other].some(({ barriers, slots }) => barriers.length + slots.length > 0);
  return !changes && columnOf.get(one.agent) === columnOf.get(other.agent);
}

/** Shows the first and the last lap of a repetition. */
function withoutLaps(trace: readonly TraceStep[], rows: readonly Row[]): Row[] {
  const parts = rows.map((row) => (row.kind === 'hidden' ? row.text : rowKey(trace, row)));
  let at = 0;
  return folded(parts).flatMap(({ parts: lap, times }): Row[] => {
    const all = rows.slice(at, at + lap.length * times);
    at += all.length;
    if (times === 1) return all;
    const hidden = all.slice(lap.length, -lap.length);
    const [first, last] = [hidden[0]!.first, hidden.at(-1)!.last];
    const text =
      lap.length === 1
        ? `${counted(times - 2, 'row')} like the one above`
        : `${counted(times - 2, 'more lap')} like the ${grouped(lap.length)} rows above`;
    const row: Row = { kind: 'hidden', first, last, text };
    return [...all.slice(0, lap.length), row, ...all.slice(-lap.length)];
  });
}
