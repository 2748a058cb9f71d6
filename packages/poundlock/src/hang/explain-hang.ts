// From what was stopped to the cause: the table, the check of its PTX, and the state that agrees.
import type { BarrierState, CheckResult, Finding } from '@poundlock/core/internal/finding';
import type { Kernel, Overrides } from '@poundlock/core/internal/program';
import { list } from '@poundlock/core/internal/system';
import { check } from '../check/index.ts';
import { isFull, nameInBlock, type Agreement } from './agreement.ts';
import { findState, type Match } from './match.ts';
import type { StoppedBlock } from './stopped.ts';
import type { HangTable, TableRow } from './rows.ts';

/** What is concluded. */
export type HangVerdict = 'deadlock' | 'slow' | 'exception' | 'unexplained';

/** Why a kernel does not end. */
export interface Explanation {
  readonly verdict: HangVerdict;
  /** One sentence with the conclusion. */
  readonly summary: string;
  /** Facts that it rests on, or that leave it open. */
  readonly notes: readonly string[];
  /** What `check` says of the kernel; `null` where it could not be checked. */
  readonly result: CheckResult | null;
  /** The finding that explains the hang. */
  readonly finding: Finding | null;
  /** How far the end of its schedule is the state that was saved; `null` where there is none. */
  readonly agreement: Agreement | null;
  /** How many phases barriers have completed, by their names, where the state is the saved one. */
  readonly phases: ReadonlyMap<string, number>;
}

/** What an explanation needs. */
export interface HangContext {
  readonly table: HangTable;
  readonly blocks: readonly StoppedBlock[];
  /** Whether two lines of the PTX are of one loop that polls a word. */
  readonly areOfOnePoll: (one: number, other: number) => boolean;
  /** The kernel with its launch, or why it cannot be checked. */
  readonly kernel: Kernel | string;
  /** The same kernel with a smaller bound, for loops that take long; `null` where there is none. */
  readonly quick: Kernel | null;
  /** The kernel where what it polls was zero at the launch; `null` where nothing is assumed. */
  readonly assumed: { readonly kernel: Kernel; readonly note: string } | null;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
  readonly timeoutMs: number;
}

/** Explains why a kernel does not end. */
export async function explainHang(context: HangContext): Promise<Explanation> {
  const { table, kernel } = context;
  const exception = table.rows.find(({ state }) => state.kind === 'exception');
  if (typeof kernel === 'string') return withoutCheck(exception, table, kernel);
  const moving = table.rows.filter(isProgressing);
  if (exception === undefined && moving.length > 0 && context.quick !== null) {
    const found = await checkKernel(context.quick, context);
    const slow = await ofProgress(context.quick, found, moving, context);
    if (slow.verdict === 'slow') return slow;
  }
  const result = await checkKernel(kernel, context);
  if (exception !== undefined) return ofException(exception, result);
  const start = context.now();
  const isOver = (): boolean => context.now() - start > context.timeoutMs / 2;
  const isRun = kernel.reference?.(result.params)?.undecided === null;
  const match = isRun ? findState(kernel, result, context, isOver) : null;
  const explained = match === null ? null : await ofMatch(kernel, result, match, context);
  if (explained !== null) return explained;
  if (moving.length > 0) return ofProgress(kernel, result, moving, context);
  return (await ofAssumption(context)) ?? ofStandstill(result, match);
}

/** The explanation where what is polled was zero at the launch, if its end is the saved state. */
async function ofAssumption(context: HangContext): Promise<Explanation | null> {
  const { assumed } = context;
  if (assumed === null) return null;
  const other = await explainHang({
    ...context,
    kernel: assumed.kernel,
    quick: null,
    assumed: null,
  });
  const isEnd = other.agreement !== null && isFull(other.agreement);
  if (other.verdict !== 'deadlock' || !isEnd) return null;
  return { ...other, notes: [assumed.note, ...other.notes] };
}

function checkKernel(
  kernel: Kernel,
  { now, pause, timeoutMs }: HangContext,
  params: Overrides = {},
): Promise<CheckResult> {
  return check(kernel, { params, now, pause, timeoutMs, sizes: 'requested' });
}

/** Whether a group of lanes is not blocked. */
export function isProgressing({ state, word }: TableRow): boolean {
  if (state.kind === 'nanosleep' || state.kind === 'running') return true;
  // A wait whose phase is over passes with its next try.
  return state.kind === 'mbarrier' && word !== undefined && word.phaseParity !== state.parity;
}

/** A state of the model that is the one that was saved, or a deadlock that ends in another one. */
async function ofMatch(
  kernel: Kernel,
  result: CheckResult,
  match: Match,
  context: HangContext,
): Promise<Explanation | null> {
  if (isFull(match.agreement)) {
    const finding = match.finding ?? (await findingOf(kernel, result, match, context));
    if (finding === null) return null;
    return explanation('deadlock', finding.message, { result, finding, match });
  }
  const first = errorOf(result);
  // What is not known may be another hang.
  const isOther = context.table.rows.some(
    (row) => isProgressing(row) || row.state.kind === 'unknown',
  );
  if (first === null || isOther) return null;
  const notes = [
    'this is a deadlock of the kernel, and the dump is not the end of its schedule:',
    ...match.agreement.differences,
  ];
  return explanation('deadlock', first.message, { result, finding: first, match, notes });
}

/** What `check` says of the schedule that leads to a state. */
async function findingOf(
  kernel: Kernel,
  { params }: CheckResult,
  { state }: Match,
  { now, pause, timeoutMs }: HangContext,
): Promise<Finding | null> {
  const replay = state.token;
  const replayed = await check(kernel, { params, now, pause, timeoutMs, replay });
  return errorOf(replayed);
}

function errorOf(result: CheckResult | null): Finding | null {
  return result?.findings.find(({ severity }) => severity === 'error') ?? null;
}

/** Parts of an explanation that depend on the verdict. */
interface Shown {
  readonly result: CheckResult | null;
  readonly finding?: Finding | null;
  readonly match?: Match | null;
  readonly notes?: readonly string[];
}

function explanation(
  verdict: HangVerdict,
  summary: string,
  { result, finding = null, match = null, notes = [] }: Shown,
): Explanation {
  const agreement = match?.agreement ?? null;
  const isSame = agreement !== null && isFull(agreement);
  const phases = isSame ? phasesOf(match!.state.barriers) : new Map<string, number>();
  return { verdict, summary, notes, result, finding, agreement, phases };
}

/** Phases that barriers of one name have completed in every block. */
function phasesOf(barriers: readonly BarrierState[]): Map<string, number> {
  const all = Map.groupBy(barriers, ({ name }) => nameInBlock(name));
  const phases = new Map<string, number>();
  for (const [name, states] of all) {
    const { phase } = states[0]!;
    if (states.every((each) => each.phase === phase)) phases.set(name, phase);
  }
  return phases;
}

/** `warp 1 and warp 2 are in nanosleep at hang.cu:47`. */
function describeRow(rows: readonly TableRow[]): string {
  const { at, ptxLine, state } = rows[0]!;
  const place = at ?? (ptxLine === null ? '' : `PTX line ${ptxLine}`);
  const who = [...new Set(rows.map(({ warp }) => `warp ${warp}`))];
  const are = who.length === 1 ? 'is' : 'are';
  return `${list(who)} ${are} ${STATES[state.kind]}${place === '' ? '' : ` at ${place}`}`;
}

const STATES: Readonly<Record<TableRow['state']['kind'], string>> = {
  mbarrier: 'at a wait that passes',
  named: 'at a named barrier',
  word: 'in a poll',
  exception: 'stopped by an exception',
  cluster: 'at the barrier of the cluster',
  syncwarp: 'at a barrier of the warp',
  registers: 'at a wait for registers',
  nanosleep: 'in nanosleep',
  running: 'running',
  unknown: 'at an address of no known code',
  ended: 'at its end',
};

/** The most rows that a sentence names. */
const MAX_NAMED = 3;

function describeRows(rows: readonly TableRow[]): string {
  const groups = Map.groupBy(rows, ({ at, ptxLine, state }) => `${at} ${ptxLine} ${state.kind}`);
  const all = [...groups.values()].map(describeRow);
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return all.slice(0, MAX_NAMED).join(', ') + more;
}

/** A kernel that is not hung by its barriers, or of which that is not known. */
async function ofProgress(
  kernel: Kernel,
  result: CheckResult,
  moving: readonly TableRow[],
  context: HangContext,
): Promise<Explanation> {
  const who = describeRows(moving);
  const others = context.table.rows.length === moving.length ? '' : '; the others wait';
  if (result.verdict === 'certified')
    return explanation('slow', `${who}${others}; no schedule deadlocks`, { result });
  if (result.verdict === 'inconclusive') {
    const smaller = await certifiedSmaller(kernel, result, context);
    if (smaller !== null) {
      const notes = [
        `${result.reason ?? 'the kernel was not decided'}`,
        `no schedule deadlocks with ${smaller}`,
      ];
      return explanation('slow', `${who}${others}`, { result, notes });
    }
  }
  const error = errorOf(result);
  const notes = [
    ...(result.reason === undefined ? [] : [result.reason]),
    ...(error === null ? [] : [`check finds another error: ${error.message}`]),
  ];
  return explanation('unexplained', `${who}${others}; whether they ever end is not decided`, {
    result,
    notes,
  });
}

/** A number of the launch that is larger may be how long a loop takes. */
const LARGE = 64;
const SMALL = 2;
const MAX_TRIES = 3;

/** A number of the launch with which the kernel is certified where it is small; `null`: none. */
async function certifiedSmaller(
  kernel: Kernel,
  { params }: CheckResult,
  context: HangContext,
): Promise<string | null> {
  const numbers = Object.entries(params)
    .filter((each): each is [string, number] => typeof each[1] === 'number' && each[1] > LARGE)
    .toSorted(([, a], [, b]) => b - a);
  for (const [name] of numbers.slice(0, MAX_TRIES)) {
    const { verdict } = await checkKernel(kernel, context, { [name]: SMALL });
    if (verdict === 'certified') return `${name}=${SMALL}`;
  }
  return null;
}

/** No warp moves, and no schedule of the model ends there. */
function ofStandstill(result: CheckResult, match: Match | null): Explanation {
  const { assumptions } = result.scope;
  const error = errorOf(result);
  const notes = [
    ...(error === null
      ? []
      : [`check finds this error, which the dump does not show: ${error.message}`]),
    ...(result.reason === undefined ? [] : [result.reason]),
    ...(match === null ? [] : match.agreement.differences),
    ...assumptions.map(({ text }) => `assumption: ${text}`),
  ];
  const summary =
    result.verdict === 'certified'
      ? 'no warp can move, and check certifies the kernel: what it assumes does not hold here'
      : 'no warp can move, and why is not decided';
  return explanation('unexplained', summary, { result, match, notes });
}

function ofException(row: TableRow, result: CheckResult | null): Explanation {
  const { state, warp } = row;
  const name = state.kind === 'exception' ? state.name : 'an exception';
  const place = row.at ?? (row.ptxLine === null ? row.pc : `PTX line ${row.ptxLine}`);
  const error = errorOf(result);
  const why = error === null ? '' : `: ${error.message}`;
  return explanation('exception', `${name} in warp ${warp} at ${place}${why}`, {
    result,
    finding: error,
  });
}

function withoutCheck(
  exception: TableRow | undefined,
  { rows }: HangTable,
  reason: string,
): Explanation {
  if (exception !== undefined) return { ...ofException(exception, null), notes: [reason] };
  const moving = rows.filter(isProgressing);
  const summary =
    moving.length > 0
      ? `${describeRows(moving)}; whether it hangs is not decided`
      : 'no warp can move';
  return explanation('unexplained', summary, { result: null, notes: [reason] });
}
