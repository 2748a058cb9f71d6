// The raw instruction set as functions: waits are yielded with yield*, everything else is posted.
import { currentPosition, InputError } from '../base/index.ts';
import { NAMED_BARRIERS } from '../machine/index.ts';
import { makeOp, OpKind, type Op, type Unit } from '../op/index.ts';
import { currentRole, post } from './context.ts';
import type { Barrier, Buffer, Cell, Pool } from './declare.ts';
import { Compute } from './preallocated-ops.ts';
import { Operation, operation } from './operation.ts';
import {
  makeCopy,
  makeUse,
  cachedArrive,
  cachedCommit,
  cachedCopy,
  cachedUse,
} from './op-cache.ts';
import type { Work } from './work.ts';

/** Where an operation reaches: one CTA, several (multicast), or the role's own when left out. */
export interface TargetCtas {
  readonly cta?: number;
  readonly ctas?: readonly number[];
}

/** The largest number that an operation may carry: a state keeps 32-bit words. */
const MOST = 0x3fffffff;
/** The most answers of one `choose`: a move has 16 bits for its option. */
const MOST_ANSWERS = 0xffff;

/** Throws unless `value` is a whole number from `least` to `most`. */
function requireWhole(what: string, value: number, least: number, most: number = MOST): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(
    `${what} must be a whole number from ${least} to ${most}, not ${value}`,
    currentPosition(),
  );
}

const NO_BUFFERS: readonly Buffer[] = [];
const OWN_CTA: readonly number[] = [];

function ctasOf(reach: TargetCtas): readonly number[] {
  return reach.ctas ?? (reach.cta === undefined ? OWN_CTA : [reach.cta]);
}

/** Initializes a barrier for `count` arrivals per phase (M01). */
export function init(target: Barrier, count: number): void {
  requireWhole('the count of init()', count, 1);
  post(makeOp(OpKind.init, { barrier: target.id, arrivals: count }));
}

/** Ends a barrier's life: a later access to it is an error (M02). */
export function invalidate(target: Barrier): void {
  post(makeOp(OpKind.invalidate, { barrier: target.id }));
}

/** Waits until absolute phase `phase` has completed; −1 is complete from the start (M07, M10). */
export function wait(target: Barrier, phase: number): Operation<void> {
  requireWhole('the phase of wait()', phase, -1);
  return operation(makeOp(OpKind.wait, { barrier: target.id, phase }));
}

/** Waits until the current phase's parity differs from `bit`: the hardware's own form (M07). */
export function waitParity(target: Barrier, bit: number): Operation<void> {
  if (bit !== 0 && bit !== 1) requireWhole('the parity of waitParity()', bit, 0, 1);
  const cached = (target.memo.parity ??= []);
  const { id: barrier } = target;
  return (cached[bit] ??= operation(makeOp(OpKind.waitParity, { barrier, parity: bit })));
}

/** Asks once whether absolute phase `phase` has completed; may say no although it has (M08). */
export function tryWait(target: Barrier, phase: number): Operation<boolean> {
  requireWhole('the phase of tryWait()', phase, -1);
  return new Operation(makeOp(OpKind.tryWait, { barrier: target.id, phase }), isYes);
}

export interface ArriveOptions extends TargetCtas {
  /** How many arrivals the operation counts for; 1 unless given. */
  readonly count?: number;
  /** Bytes to expect in the same operation. */
  readonly bytes?: number;
  /** Every thread of the role arrives, not one elected thread. */
  readonly everyLane?: boolean;
}

/** Arrives at a barrier (M03). */
export function arrive(target: Barrier, options?: ArriveOptions): void {
  post(
    options === undefined ? (target.memo.arrive ??= arrival(target, {})) : arrival(target, options),
  );
}

function arrival(target: Barrier, options: ArriveOptions): Op {
  const { count = 1, bytes = 0, everyLane = false } = options;
  requireWhole('the count of arrive()', count, 1);
  requireWhole('the bytes of arrive()', bytes, 0);
  const lanes = everyLane ? currentRole('arrive()').role.lanes : 1;
  return arrivalOf(target, lanes, options, count, bytes);
}

/** The arrival of so many threads, `count` each. */
export function arrivalOf(
  target: Barrier,
  lanes: number,
  reach: TargetCtas,
  count = 1,
  bytes = 0,
): Op {
  const isOwn = reach.cta === undefined && reach.ctas === undefined;
  if (!isOwn || count !== 1 || bytes !== 0) return anyArrival(target, lanes, reach, count, bytes);
  const cached = (target.memo.plain ??= []);
  return (cached[lanes] ??= anyArrival(target, lanes, reach, 1, 0));
}

function anyArrival(
  target: Barrier,
  lanes: number,
  reach: TargetCtas,
  count: number,
  bytes: number,
): Op {
  const memo = (target.memo.ops ??= []);
  return cachedArrive(memo, target.id, ctasOf(reach), count, lanes, bytes);
}

/** Expects `bytes` more in the current phase, without arriving (M04). */
export function expectTx(target: Barrier, bytes: number, reach: TargetCtas = {}): void {
  requireWhole('the bytes of expectTx()', bytes, 0);
  post(makeOp(OpKind.expectTx, { barrier: target.id, bytes, ctas: ctasOf(reach) }));
}

/** Counts `bytes` as arrived (M04). */
export function completeTx(target: Barrier, bytes: number, reach: TargetCtas = {}): void {
  requireWhole('the bytes of completeTx()', bytes, 0);
  post(makeOp(OpKind.completeTx, { barrier: target.id, bytes, ctas: ctasOf(reach) }));
}

/** Arrives and leaves for good: later phases expect `count` arrivals fewer (M05). */
export function arriveDrop(target: Barrier, count = 1): void {
  requireWhole('the count of arriveDrop()', count, 1);
  post(makeOp(OpKind.arriveDrop, { barrier: target.id, arrivals: count }));
}

/** The operations that were made before on what they name first. */
function memoOf(target: Barrier | Buffer | undefined): Op[] {
  return target === undefined ? [] : (target.memo.ops ??= []);
}

/** How many neighboring CTAs work as one, as `.cta_group` says; 1 unless given. */
export type CtaGroup = 1 | 2;

export interface CopyOptions extends TargetCtas {
  /** The buffers that are written as the copy completes. */
  readonly into: readonly Buffer[];
  /** The barrier that the bytes count on. */
  readonly bar?: Barrier;
  readonly bytes?: number;
  /** A cell that the copy writes `value` to, in every CTA that it reaches. */
  readonly cell?: Cell;
  readonly value?: number;
  /** With 2, the bytes count on the barrier of the even CTA of each pair that is reached (U06). */
  readonly ctaGroup?: CtaGroup;
  /** The copying, done by `run` alone as the copy completes. */
  readonly work?: Work;
}

/** Starts a copy that completes later, in any order (U01). */
export function asyncCopy(unit: Unit, options: CopyOptions): void {
  const { into, bar, bytes = 0, cell, value = 0, ctaGroup = 1, work } = options;
  requireWhole('the bytes of asyncCopy()', bytes, 0);
  requireWhole('the value of asyncCopy()', value, -MOST);
  requireWhole('the ctaGroup of asyncCopy()', ctaGroup, 1, 2);
  const [barrier, ctas] = [bar?.id ?? null, ctasOf(options)];
  const parts = { unit, ctas, barrier, bytes, into, cell: cell?.id ?? null, value, ctaGroup };
  post(work === undefined ? cachedCopy(memoOf(into[0] ?? bar), parts) : makeCopy(parts, work));
}

/** The buffers of work are those of every CTA that it reaches (U07). */
export interface UseOptions extends TargetCtas {
  readonly reads?: readonly Buffer[];
  readonly writes?: readonly Buffer[];
  /** Whether the use closes a group of its own, for `waitGroup`. */
  readonly group?: boolean;
  /** How long the unit works on it: what `simulate` alone looks at. */
  readonly cycles?: number;
  /** The work itself, done by `run` alone. */
  readonly work?: Work;
}

/** Starts work of an asynchronous unit that reads and writes buffers as it completes (U02). */
export function asyncUse(unit: Unit, options: UseOptions): void {
  const { reads = NO_BUFFERS, writes = NO_BUFFERS, group = false } = options;
  const { cycles = 0, work } = options;
  requireWhole('the cycles of asyncUse()', cycles, 0);
  const parts = { unit, ctas: ctasOf(options), reads, writes, closesGroup: group, cycles };
  const memo = memoOf(reads[0] ?? writes[0]);
  post(work === undefined ? cachedUse(memo, parts) : makeUse(parts, work));
}

/** One arrival at `bar` when all earlier work of this role on `unit` has completed (U03). */
export function commit(unit: Unit, bar: Barrier, reach: TargetCtas = {}): void {
  post(cachedCommit(memoOf(bar), unit, bar.id, ctasOf(reach)));
}

/** Closes a group of the work issued since the last one (U04). */
export function commitGroup(unit: Unit): void {
  post(makeOp(OpKind.commit, { unit, ctas: OWN_CTA, barrier: null }));
}

/** Waits until at most `inFlight` groups of this role on `unit` are open (U04). */
export function waitGroup(unit: Unit, inFlight: number): Operation<void> {
  requireWhole('the groups that waitGroup() leaves open', inFlight, 0);
  const { groupWaits } = currentRole('waitGroup()');
  for (const known of groupWaits) {
    if (known.unit === unit && known.inFlight === inFlight) return known.wait;
  }
  const wait = operation(makeOp(OpKind.waitGroup, { unit, inFlight }));
  groupWaits.push({ unit, inFlight, wait });
  return wait;
}

/** Arrives with every thread of the role at named barrier `id`, and waits for `threads` (N01). */
export function syncNamed(id: number, threads: number): Operation<void> {
  const { lanes } = currentRole('syncNamed()').role;
  requireWhole('the number of a named barrier', id, 0, NAMED_BARRIERS - 1);
  requireWhole('the threads of syncNamed()', threads, 1);
  return operation(makeOp(OpKind.syncNamed, { named: id, threads, lanes }));
}

/** Arrives with every thread of the role at named barrier `id`, without waiting (N01). */
export function arriveNamed(id: number, threads: number): void {
  const { lanes } = currentRole('arriveNamed()').role;
  requireWhole('the number of a named barrier', id, 0, NAMED_BARRIERS - 1);
  requireWhole('the threads of arriveNamed()', threads, 1);
  post(makeOp(OpKind.arriveNamed, { named: id, threads, lanes }));
}

/** Waits until every role of the kernel is here (N02). */
export function syncCluster(): Operation<void> {
  return operation(makeOp(OpKind.syncCluster, {}));
}

/** Reads a buffer (S01). */
export function read(target: Buffer): void {
  post((target.memo.read ??= makeOp(OpKind.read, { buffer: target.id })));
}

/** Writes a buffer (S01). */
export function write(target: Buffer): void {
  post((target.memo.write ??= makeOp(OpKind.write, { buffer: target.id })));
}

/** A fence; the machine keeps no separate proxies, so it orders nothing yet (S03). */
export function fence(kind: 'proxy.async' | 'mbarrier.init' = 'proxy.async'): void {
  post(makeOp(OpKind.fence, { fence: kind }));
}

/** Stores an integer in a cell (C01). */
export function store(target: Cell, value: number): void {
  requireWhole('the value of store()', value, -MOST);
  post(makeOp(OpKind.store, { cell: target.id, value }));
}

/** Loads a cell (C01). */
export function load(target: Cell): Operation<number> {
  return new Operation(makeOp(OpKind.load, { cell: target.id }), (answer) => answer);
}

/** Adds to a cell and answers what it held before (C01). */
export function fetchAdd(target: Cell, amount: number): Operation<number> {
  requireWhole('the amount of fetchAdd()', amount, -MOST);
  return new Operation(makeOp(OpKind.fetchAdd, { cell: target.id, amount }), (old) => old);
}

/**
 * Time that a role or a unit works (S04). `work` is done by `run` alone, over typed-array views of
 * the tiles.
 *
 * @example
 * yield* compute(400, (view) => view(tile.buffer(), Float32Array).fill(1));
 */
export function compute(cycles: number, work?: Work): Operation<void> {
  return new Compute(cycles, work ?? null);
}

/** Allocates `units` of a pool; waits while they are not free (A01). */
export function alloc(from: Pool, units: number): Operation<Buffer> {
  requireWhole('the units of alloc()', units, 1);
  const op = makeOp(OpKind.alloc, { pool: from.id, units });
  return new Operation(op, (id) => from.buffers.find((one) => one.id === id) ?? from.buffers[0]!);
}

/** Gives an allocated buffer back to its pool (A02). */
export function free(allocated: Buffer): void {
  if (allocated.pool < 0) {
    throw new InputError(`${allocated.name} was never allocated from a pool`, currentPosition());
  }
  post(makeOp(OpKind.free, { pool: allocated.pool, buffer: allocated.id }));
}

/** Gives up the right to allocate from a pool (A03). */
export function relinquish(from: Pool): void {
  post(makeOp(OpKind.relinquish, { pool: from.id }));
}

/** A decision that the program leaves open: every answer 0 … n − 1 is explored (P04). */
export function choose(n: number): Operation<number> {
  requireWhole('the answers of choose()', n, 1, MOST_ANSWERS);
  return new Operation(makeOp(OpKind.choose, { choices: n }), (answer) => answer);
}

/** Starts a role that was declared with `spawned: true`, by its index (L01). */
export function spawn(role: number): void {
  post(makeOp(OpKind.spawn, { role }));
}

/** Waits until a role has ended, by its index (L01). */
export function join(role: number): Operation<void> {
  return operation(makeOp(OpKind.join, { role }));
}

/** The role's CTA exits: a later access to it is an error (L02). */
export function exit(): void {
  post(makeOp(OpKind.exit, {}));
}

function isYes(answer: number): boolean {
  return answer === 1;
}
