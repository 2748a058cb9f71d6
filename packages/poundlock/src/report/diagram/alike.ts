// Rows that roles of one column have in common: the first role shows them, the others are named.
import type { TraceStep } from '@poundlock/core/internal/finding';
import { counted } from '@poundlock/core/internal/base';
import { list } from '@poundlock/core/internal/system';
import { agentName } from '../lanes.ts';
import type { Row, StepRow } from './rows.ts';

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
export function withoutAlike(trace: readonly TraceStep[], rows: readonly Row[]): Row[] {
  const issuers = issuersOf(trace);
  const shown: Row[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at]!;
    if (row.kind === 'hidden') {
      shown.push(row);
      at++;
      continue;
    }
    const end = rows.findIndex((one, index) => index > at && one.kind === 'hidden');
    const steps = rows.slice(at, end < 0 ? rows.length : end) as readonly StepRow[];
    shown.push(...foldedParts(partsOf(trace, steps, issuers), trace.length - 1));
    at += steps.length;
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

function partsOf(
  trace: readonly TraceStep[],
  rows: readonly StepRow[],
  issuers: ReadonlyMap<number, string>,
): Part[] {
  const roleOf = ({ first, last }: StepRow): string | null => {
    if (first !== last) return null;
    const step = trace[first]!;
    return step.kind === 'unit' ? (issuers.get(first) ?? null) : agentName(step);
  };
  const keyOf = ({ first, marks }: StepRow): string => {
    const { verb, line, column } = trace[first]!;
    return `${marks.map((mark) => mark.column).join(' ')} ${verb} ${line}:${column}`;
  };
  const parts: { role: string | null; rows: StepRow[]; key: string }[] = [];
  for (const row of rows) {
    const role = roleOf(row);
    const last = parts.at(-1);
    // A signal of a unit follows the completion of the work that it is about.
    const isSignal = role === null && trace[row.first]!.verb === 'signal';
    if (last !== undefined && last.role !== null && (role === last.role || isSignal)) {
      last.rows.push(row);
      last.key += `\n${keyOf(row)}`;
    } else parts.push({ role, rows: [row], key: keyOf(row) });
  }
  return parts;
}

/** The last step of a schedule is always shown. */
function foldedParts(parts: readonly Part[], lastStep: number): Row[] {
  return parts.flatMap((part, at): readonly Row[] => {
    const { role, rows, key } = part;
    const isLike = (one: Part | undefined): boolean =>
      one !== undefined && one.role !== null && one.key === key && one.rows.length >= LEAST_ROWS;
    if (role === null || !isLike(parts[at - 1])) {
      return rows;
    }
    // The first of the hidden ones stands for all that follow it.
    let end = at;
    while (isLike(parts[end + 1])) end++;
    const [last] = [parts[end]!.rows.at(-1)!.last];
    if (last === lastStep) return rows;
    if (isLike(parts[at - 2])) return [];
    const names = [...new Set(parts.slice(at, end + 1).map((one) => one.role!))];
    const first = parts[at - 1]!.role!;
    const text = `${list(names)}: the same ${counted(rows.length, 'row')} as ${first}`;
    return [{ kind: 'hidden', first: rows[0]!.first, last, text }];
  });
}
