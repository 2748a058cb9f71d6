// The results of a sweep as plain data: a row for each set of parameters, and the Pareto front.
import { counted } from '@poundlock/core/internal/base';
import type {
  CheckResult,
  FailureVerdict,
  Parameters,
  ParameterValue,
  TextHash,
} from '@poundlock/core/internal/finding';

/** What `check` says of a row: the whole result, without schedules. */
export interface SweptCheck extends CheckResult {
  /** The rule of the first finding. */
  readonly rule: string | null;
  /** What it says, or why nothing is known. */
  readonly why: string | null;
}

/** What `simulate` says of a row. */
export interface SweptTime {
  readonly totalCycles: number;
  readonly microseconds: number;
  /** Cycles divided by the work that `--per` names. */
  readonly perWork: number | null;
  readonly sharedBytes: number;
  readonly mostSharedBytes: number;
  /** Why no GPU of the model can run it. */
  readonly limits: readonly string[];
  readonly bottleneck: { readonly what: string; readonly share: number } | null;
  readonly nearestRoof: { readonly name: string; readonly share: number } | null;
}

/** The best certified change that `advise` found for a row. */
export interface SweptAdvice {
  readonly proposals: number;
  readonly change: string | null;
  readonly speedup: number;
}

/** One set of parameters. */
export interface SweptRow {
  readonly params: Parameters;
  readonly swept: Readonly<Record<string, ParameterValue>>;
  readonly check?: SweptCheck;
  readonly simulate?: SweptTime;
  readonly advise?: SweptAdvice;
  /** Why a verb has no result. */
  readonly error?: string;
  /** What that says of a kernel that could run: it is wrong, or a bound was reached. */
  readonly errorVerdict?: FailureVerdict;
  /** Whether a job of it has not run. */
  readonly isMissing?: true;
  /** Whether no other row is as fast with less shared memory. */
  readonly isFront: boolean;
}

/** What one sweep found. */
export interface SweepReport {
  readonly schema: 'poundlock/sweep@1';
  readonly tool: { readonly name: 'poundlock'; readonly version: string };
  readonly file: string;
  /** The texts that the verdicts are about. */
  readonly texts: readonly TextHash[];
  readonly kernel: string;
  readonly model: string;
  readonly verbs: readonly string[];
  readonly swept: readonly string[];
  /** What cycles are divided by, such as `tiles*clusterM`; `null` for nothing. */
  readonly per: string | null;
  readonly rows: readonly SweptRow[];
}

/** What a sweep over several files calls the column of their names. */
export const FILE_COLUMN = 'file';

/** How many rows there are, and of what. */
export function countOf({ rows, swept }: SweepReport): string {
  if (swept[0] !== FILE_COLUMN) return `${counted(rows.length, 'set')} of parameters`;
  return counted(rows.length, swept.length === 1 ? 'build' : 'row');
}

/** The time by which rows are compared. */
export function timeOf({ simulate }: SweptRow): number {
  return simulate === undefined ? Number.NaN : (simulate.perWork ?? simulate.totalCycles);
}

/** Whether a row can be on the front: certified, if it was checked, and it can be launched. */
export function isCandidate({ check, simulate }: SweptRow): boolean {
  if (check !== undefined && check.verdict !== 'certified') return false;
  return simulate !== undefined && simulate.limits.length === 0 && fits(simulate);
}

/** Whether the shared memory of a CTA is enough. */
export function fits({ sharedBytes, mostSharedBytes }: SweptTime): boolean {
  return sharedBytes <= mostSharedBytes;
}

/** Marks the rows that no candidate beats in both time and memory. */
export function withFront(rows: readonly Omit<SweptRow, 'isFront'>[]): SweptRow[] {
  const all = rows.map((row) => ({ ...row, isFront: false }));
  const candidates = all.filter(isCandidate);
  const front = new Set(frontOf(candidates));
  return all.map((row) => ({ ...row, isFront: front.has(row) }));
}

/** The candidates from little memory to much, each faster than all before it. */
function frontOf(candidates: readonly SweptRow[]): SweptRow[] {
  const bytes = (row: SweptRow) => row.simulate!.sharedBytes;
  const ordered = candidates.toSorted((a, b) => bytes(a) - bytes(b) || timeOf(a) - timeOf(b));
  let best = Number.POSITIVE_INFINITY;
  return ordered.filter((row) => {
    const time = timeOf(row);
    if (time >= best) return false;
    best = time;
    return true;
  });
}

/** Files are ranked, the fastest first and those without a time last; values keep their order. */
export function inOrder(swept: readonly string[], rows: readonly SweptRow[]): readonly SweptRow[] {
  if (swept[0] !== FILE_COLUMN) return rows;
  const rank = (row: SweptRow): number =>
    row.simulate?.perWork ?? row.simulate?.microseconds ?? Infinity;
  return rows.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** The rows of the front, from little memory to much. */
export function frontRows({ rows }: SweepReport): SweptRow[] {
  const front = rows.filter(({ isFront }) => isFront);
  return front.toSorted((a, b) => a.simulate!.sharedBytes - b.simulate!.sharedBytes);
}

/** The best candidate with a value of a parameter, and its time by that of the best of all. */
export interface BestOfValue {
  readonly name: string;
  readonly value: ParameterValue;
  readonly row: SweptRow;
  readonly slower: number;
}

/** What each value of each parameter costs, if the others are chosen as well as can be. */
export function bestOfValues({ rows, swept }: SweepReport): BestOfValue[] {
  const candidates = rows.filter(isCandidate);
  const best = Math.min(...candidates.map(timeOf));
  // The table has a line for each file.
  return swept
    .filter((name) => name !== FILE_COLUMN)
    .flatMap((name) => {
      const byValue = Map.groupBy(candidates, (row) => row.params[name] ?? row.swept[name] ?? '');
      return [...byValue].map(([value, group]): BestOfValue => {
        const row = group.reduce((least, each) => (timeOf(each) < timeOf(least) ? each : least));
        return { name, value, row, slower: timeOf(row) / best };
      });
    });
}
