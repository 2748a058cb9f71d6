// Rows that roles of one column have in common: the first role shows them, the others are named.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { counted } from '@poundlock/core/internal/base';
import { list } from '@poundlock/core/internal/system';
import { agentName } from '../lanes.ts';
import { rowKey, type Row, type StepRow } from './row.ts';

/** Fewer rows are shown: the row that stands for them is one, too. */
const LEAST_ROWS = 2;

/** Consecutive rows of one role, with those of the work that it issued. */
interface Part {
  readonly role: string | null;
  readonly rows: readonly StepRow[];
  /** What the rows show but for the role. */
  readonly key: string;
}

/** Shows the rows of the first of several roles that do the same, one after the other. */
export function withoutAlike(trace: readonly TraceStep[], rows: readonly StepRow[]): Row[] {
  const parts = partsOf(trace, rows);
  const shown: Row[] = [];
  for (let at = 0; at < parts.length;) {
    const { role, rows: own, key } = parts[at]!;
    shown.push(...own);
    let end = at + 1;
    if (role !== null && own.length >= LEAST_ROWS)
      while (parts[end]?.key === key && parts[end]!.role !== null) end++;
    // The last step of a schedule is always shown.
    if (parts[end - 1]!.rows.at(-1)!.last === trace.length - 1 && end > at + 1) end--;
    const others = parts.slice(at + 1, end);
    at = end;
    const last = others.at(-1)?.rows.at(-1)?.last;
    if (last !== undefined) {
      const names = list(others.map((one) => one.role!));
      const text = `${names}: the same ${counted(own.length, 'row')} as ${role}`;
      shown.push({ kind: 'hidden', first: others[0]!.rows[0]!.first, last, text });
    }
  }
  return shown;
}

/** By the step of a unit: the role whose work it is. */
function issuersOf(trace: readonly TraceStep[]): ReadonlyMap<number, string> {
  const issued = trace.flatMap(({ agent, issues = [] }) =>
    issues.flatMap(({ until }) => (until === undefined ? [] : [[until - 1, agent] as const])),
  );
  return new Map(issued);
}

function partsOf(trace: readonly TraceStep[], rows: readonly StepRow[]): Part[] {
  const issuers = issuersOf(trace);
  const roleOf = ({ first, last }: StepRow): string | null => {
    if (first !== last) return null;
    const step = trace[first]!;
    return step.kind === 'unit' ? (issuers.get(first) ?? null) : agentName(step);
  };
  const parts: { role: string | null; rows: StepRow[]; key: string }[] = [];
  for (const row of rows) {
    const role = roleOf(row);
    const last = parts.at(-1);
    // A signal of a unit follows the completion of the work that it is about.
    const isSignal = role === null && trace[row.first]!.verb === 'signal';
    if (last !== undefined && last.role !== null && (role === last.role || isSignal)) {
      last.rows.push(row);
      last.key += `\n${rowKey(trace, row)}`;
    } else parts.push({ role, rows: [row], key: rowKey(trace, row) });
  }
  return parts;
}
