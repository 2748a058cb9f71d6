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
  recallArrive,
  recallCommit,
  recallCopy,
  recallUse,
} from './op-cache.ts';
import type { Work } from './work.ts';
import type { ArriveOptions, CopyOptions, CtaTargets, UseOptions } from './operation-options.ts';

export type * from './operation-options.ts';

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

function ctasOf(reach: CtaTargets): readonly number[] {
  return reach.ctas ?? (reach.cta === undefined ? OWN_CTA : [reach.cta]);
}

/**
 * Initializes a barrier that was declared with `count: 0`, for `count` arrivals per phase (M01).
 *
 * @throws InputError for a count that is not a whole number of at least 1.
 *
 * @example
 * const late = barrier('late', { count: 0 });
 * return [
 *   role('init', function* () {
 *     init(late, 1);
 *     arrive(late);
 *     yield* wait(late, 0);
 *   }),
 * ];
 */
export function init(target: Barrier, count: number): void {
  requireWhole('the count of init()', count, 1);
  post(makeOp(OpKind.init, { barrier: target.id, arrivals: count }));
}

/**
 * Ends the lifetime of a barrier: reaching it afterwards is `missing-drain` (M02).
 *
 * @example
 * arrive(bar);
 * yield* wait(bar, 0);
 * invalidate(bar);
 */
export function invalidate(target: Barrier): void {
  post(makeOp(OpKind.invalidate, { barrier: target.id }));
}

/**
 * Blocks until phase `phase`, counted from 0, has completed. Phase −1 has completed from the
 * start. The hardware tests the parity of the phase alone, and so does this operation, but passing
 * or blocking because of another phase is a finding (M07, M10).
 *
 * @throws InputError for a phase that is not a whole number of at least −1.
 *
 * @example
 * arrive(bar);
 * yield* wait(bar, 0);
 * arrive(bar);
 * yield* wait(bar, 1);
 */
export function wait(target: Barrier, phase: number): Operation<void> {
  requireWhole('the phase of wait()', phase, -1);
  return operation(makeOp(OpKind.wait, { barrier: target.id, phase }));
}

/**
 * Blocks while the number of completed phases has the parity `bit`: the hardware's own form of a
 * wait (M07).
 *
 * @throws InputError for a parity other than 0 and 1.
 *
 * @example
 * let parity = 0;
 * for (let round = 0; round < 3; round++) {
 *   arrive(bar);
 *   yield* waitParity(bar, parity);
 *   parity ^= 1;
 * }
 */
export function waitParity(target: Barrier, bit: number): Operation<void> {
  if (bit !== 0 && bit !== 1) requireWhole('the parity of waitParity()', bit, 0, 1);
  const made = (target.memo.parity ??= []);
  const { id: barrier } = target;
  return (made[bit] ??= operation(makeOp(OpKind.waitParity, { barrier, parity: bit })));
}

/**
 * Tests once whether phase `phase` has completed. As on hardware, the result may be `false`
 * although it has (M08).
 *
 * @throws InputError for a phase that is not a whole number of at least −1.
 *
 * @example
 * arrive(bar);
 * const ready = yield* tryWait(bar, 0);
 * if (!ready) yield* wait(bar, 0);
 */
export function tryWait(target: Barrier, phase: number): Operation<boolean> {
  requireWhole('the phase of tryWait()', phase, -1);
  return new Operation(makeOp(OpKind.tryWait, { barrier: target.id, phase }), isYes);
}

/**
 * Arrives at a barrier, once unless the options say otherwise (M03).
 *
 * @throws InputError for a number in the options that is not a whole number.
 *
 * @example
 * arrive(bar, { bytes: 128 });
 * asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 128 });
 * yield* wait(bar, 0);
 * read(tile);
 */
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
  reach: CtaTargets,
  count = 1,
  bytes = 0,
): Op {
  const isOwn = reach.cta === undefined && reach.ctas === undefined;
  if (!isOwn || count !== 1 || bytes !== 0) return anyArrival(target, lanes, reach, count, bytes);
  const made = (target.memo.plain ??= []);
  return (made[lanes] ??= anyArrival(target, lanes, reach, 1, 0));
}

function anyArrival(
  target: Barrier,
  lanes: number,
  reach: CtaTargets,
  count: number,
  bytes: number,
): Op {
  const memo = (target.memo.ops ??= []);
  return recallArrive(memo, target.id, ctasOf(reach), count, lanes, bytes);
}

/**
 * Adds `bytes` to the transaction bytes that the current phase expects, without an arrival (M04).
 *
 * @example
 * expectTx(bar, 128);
 * asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 128 });
 * arrive(bar);
 * yield* wait(bar, 0);
 */
export function expectTx(target: Barrier, bytes: number, reach: CtaTargets = {}): void {
  requireWhole('the bytes of expectTx()', bytes, 0);
  post(makeOp(OpKind.expectTx, { barrier: target.id, bytes, ctas: ctasOf(reach) }));
}

/**
 * Counts `bytes` as arrived, as a copy does when it completes (M04).
 *
 * @example
 * expectTx(bar, 128);
 * completeTx(bar, 128);
 * arrive(bar);
 * yield* wait(bar, 0);
 */
export function completeTx(target: Barrier, bytes: number, reach: CtaTargets = {}): void {
  requireWhole('the bytes of completeTx()', bytes, 0);
  post(makeOp(OpKind.completeTx, { barrier: target.id, bytes, ctas: ctasOf(reach) }));
}

/**
 * Arrives and leaves the barrier: later phases expect `count` arrivals fewer (M05).
 *
 * @example
 * const shared = barrier('shared', { count: 2 });
 * return [
 *   role('leaves', function* () {
 *     arriveDrop(shared);
 *   }),
 *   role('stays', function* () {
 *     arrive(shared);
 *     yield* wait(shared, 0);
 *     arrive(shared);
 *     yield* wait(shared, 1);
 *   }),
 * ];
 */
export function arriveDrop(target: Barrier, count = 1): void {
  requireWhole('the count of arriveDrop()', count, 1);
  post(makeOp(OpKind.arriveDrop, { barrier: target.id, arrivals: count }));
}

/** The operations that were made before on what they name first. */
function memoOf(target: Barrier | Buffer | undefined): Op[] {
  return target === undefined ? [] : (target.memo.ops ??= []);
}

/**
 * Issues a bulk copy, which completes later, in any order with others: it writes its buffers and
 * counts its bytes on the barrier (U01).
 *
 * @throws InputError for a number in the options that is not a whole number, or a `ctaGroup` other
 * than 1 and 2.
 *
 * @example
 * arrive(bar, { bytes: 128 });
 * asyncCopy(UNITS.tma, { into: [tile], bar, bytes: 128 });
 * yield* wait(bar, 0);
 */
export function asyncCopy(unit: Unit, options: CopyOptions): void {
  const { into, bar, bytes = 0, cell, value = 0, ctaGroup = 1, work } = options;
  requireWhole('the bytes of asyncCopy()', bytes, 0);
  requireWhole('the value of asyncCopy()', value, -MOST);
  requireWhole('the ctaGroup of asyncCopy()', ctaGroup, 1, 2);
  const [barrier, ctas] = [bar?.id ?? null, ctasOf(options)];
  const parts = { unit, ctas, barrier, bytes, into, cell: cell?.id ?? null, value, ctaGroup };
  post(work === undefined ? recallCopy(memoOf(into[0] ?? bar), parts) : makeCopy(parts, work));
}

/**
 * Issues work of an asynchronous unit, which reads and writes buffers when it completes (U02).
 *
 * @throws InputError for a number of cycles that is not a whole number.
 *
 * @example
 * asyncUse(UNITS.mma, { reads: [tile], cycles: 128 });
 * commit(UNITS.mma, bar);
 * yield* wait(bar, 0);
 */
export function asyncUse(unit: Unit, options: UseOptions): void {
  const { reads = NO_BUFFERS, writes = NO_BUFFERS, group = false } = options;
  const { cycles = 0, work } = options;
  requireWhole('the cycles of asyncUse()', cycles, 0);
  const parts = { unit, ctas: ctasOf(options), reads, writes, closesGroup: group, cycles };
  const memo = memoOf(reads[0] ?? writes[0]);
  post(work === undefined ? recallUse(memo, parts) : makeUse(parts, work));
}

/**
 * Issues one arrival at `bar`, which happens when all earlier work of this role on `unit` has
 * completed (U03).
 *
 * @example
 * asyncUse(UNITS.mma, { reads: [tile] });
 * commit(UNITS.mma, bar);
 * yield* wait(bar, 0);
 * write(tile);
 */
export function commit(unit: Unit, bar: Barrier, reach: CtaTargets = {}): void {
  post(recallCommit(memoOf(bar), unit, bar.id, ctasOf(reach)));
}

/**
 * Closes a group of the work that this role issued since the last group (U04).
 *
 * @example
 * asyncUse(UNITS.mma, { reads: [tile] });
 * commitGroup(UNITS.mma);
 * yield* waitGroup(UNITS.mma, 0);
 */
export function commitGroup(unit: Unit): void {
  post(makeOp(OpKind.commit, { unit, ctas: OWN_CTA, barrier: null }));
}

/**
 * Blocks until at most `inFlight` groups of this role on `unit` are open (U04).
 *
 * @throws InputError for a number that is not a whole number of at least 0.
 *
 * @example
 * asyncUse(UNITS.mma, { reads: [tile], group: true });
 * yield* waitGroup(UNITS.mma, 0);
 * write(tile);
 */
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

/**
 * Arrives with every thread of the role at named barrier `id`, and blocks until `threads` threads
 * have arrived (N01).
 *
 * @throws InputError for a number of a named barrier, or of threads, that does not exist.
 *
 * @example
 * const warp = (name: string) =>
 *   role(name, { lanes: 32 }, function* () {
 *     yield* syncNamed(1, 64);
 *   });
 * return [warp('a'), warp('b')];
 */
export function syncNamed(id: number, threads: number): Operation<void> {
  const { lanes } = currentRole('syncNamed()').role;
  requireWhole('the number of a named barrier', id, 0, NAMED_BARRIERS - 1);
  requireWhole('the threads of syncNamed()', threads, 1);
  return operation(makeOp(OpKind.syncNamed, { named: id, threads, lanes }));
}

/**
 * Arrives with every thread of the role at named barrier `id`, which `threads` threads complete,
 * without blocking (N01).
 *
 * @throws InputError for a number of a named barrier, or of threads, that does not exist.
 *
 * @example
 * return [
 *   role('signal', { lanes: 32 }, function* () {
 *     arriveNamed(1, 64);
 *   }),
 *   role('wait', { lanes: 32 }, function* () {
 *     yield* syncNamed(1, 64);
 *   }),
 * ];
 */
export function arriveNamed(id: number, threads: number): void {
  const { lanes } = currentRole('arriveNamed()').role;
  requireWhole('the number of a named barrier', id, 0, NAMED_BARRIERS - 1);
  requireWhole('the threads of arriveNamed()', threads, 1);
  post(makeOp(OpKind.arriveNamed, { named: id, threads, lanes }));
}

/**
 * Blocks until every role of the kernel has arrived here (N02).
 *
 * @example
 * const late = barrier('late', { count: 0 });
 * return [
 *   role('init', function* () {
 *     init(late, 1);
 *     yield* syncCluster();
 *     yield* wait(late, 0);
 *   }),
 *   role('signal', function* () {
 *     yield* syncCluster();
 *     arrive(late);
 *   }),
 * ];
 */
export function syncCluster(): Operation<void> {
  return operation(makeOp(OpKind.syncCluster, {}));
}

/**
 * Reads a buffer (S01).
 *
 * @example
 * read(tile);
 */
export function read(target: Buffer): void {
  post((target.memo.read ??= makeOp(OpKind.read, { buffer: target.id })));
}

/**
 * Writes a buffer (S01).
 *
 * @example
 * write(tile);
 */
export function write(target: Buffer): void {
  post((target.memo.write ??= makeOp(OpKind.write, { buffer: target.id })));
}

/**
 * A fence. It orders nothing, since the machine has no separate proxies (S03), but it has a cost
 * in `simulate`.
 *
 * @example
 * write(tile);
 * fence('proxy.async');
 */
export function fence(kind: 'proxy.async' | 'mbarrier.init' = 'proxy.async'): void {
  post(makeOp(OpKind.fence, { fence: kind }));
}

/**
 * Stores an integer in a cell (C01).
 *
 * @throws InputError for a value that is not a whole number.
 *
 * @example
 * store(flag, 1);
 */
export function store(target: Cell, value: number): void {
  requireWhole('the value of store()', value, -MOST);
  post(makeOp(OpKind.store, { cell: target.id, value }));
}

/**
 * Loads the value of a cell (C01).
 *
 * @example
 * const value = yield* load(flag);
 * if (value !== 0) write(tile);
 */
export function load(target: Cell): Operation<number> {
  return new Operation(makeOp(OpKind.load, { cell: target.id }), (answer) => answer);
}

/**
 * Adds to a cell and returns the value before (C01).
 *
 * @throws InputError for an amount that is not a whole number.
 *
 * @example
 * const ticket = yield* fetchAdd(flag, 1);
 * if (ticket === 0) write(tile);
 */
export function fetchAdd(target: Cell, amount: number): Operation<number> {
  requireWhole('the amount of fetchAdd()', amount, -MOST);
  return new Operation(makeOp(OpKind.fetchAdd, { cell: target.id, amount }), (old) => old);
}

/**
 * Works for a number of cycles, which only `simulate` measures (S04). `run` alone executes `work`,
 * over typed-array views of buffers.
 *
 * @example
 * yield* compute(400, (view) => view(tile, Float32Array).fill(1));
 */
export function compute(cycles: number, work?: Work): Operation<void> {
  return new Compute(cycles, work ?? null);
}

/**
 * Allocates `units` of a pool; blocks while they are not free (A01).
 *
 * @throws InputError for a number of units that is not a whole number of at least 1.
 *
 * @example
 * const columns = yield* alloc(tmem, 128);
 * write(columns);
 * free(columns);
 * relinquish(tmem);
 */
export function alloc(from: Pool, units: number): Operation<Buffer> {
  requireWhole('the units of alloc()', units, 1);
  const op = makeOp(OpKind.alloc, { pool: from.id, units });
  return new Operation(op, (id) => from.buffers.find((one) => one.id === id) ?? from.buffers[0]!);
}

/**
 * Returns an allocated buffer to its pool (A02).
 *
 * @throws InputError for a buffer that no pool contains.
 *
 * @example
 * const columns = yield* alloc(tmem, 128);
 * free(columns);
 * relinquish(tmem);
 */
export function free(allocated: Buffer): void {
  if (allocated.pool < 0) {
    throw new InputError(`${allocated.name} was never allocated from a pool`, currentPosition());
  }
  post(makeOp(OpKind.free, { pool: allocated.pool, buffer: allocated.id }));
}

/**
 * Gives up the permit to allocate from a pool (A03).
 *
 * @example
 * const columns = yield* alloc(tmem, 128);
 * relinquish(tmem);
 * free(columns);
 */
export function relinquish(from: Pool): void {
  post(makeOp(OpKind.relinquish, { pool: from.id }));
}

/**
 * A nondeterministic choice: `check` explores every result from 0 to n − 1 (P04).
 *
 * @throws InputError for a number of results that is not a whole number of at least 1.
 *
 * @example
 * if ((yield* choose(2)) === 0) read(tile);
 * else write(tile);
 */
export function choose(n: number): Operation<number> {
  requireWhole('the answers of choose()', n, 1, MOST_ANSWERS);
  return new Operation(makeOp(OpKind.choose, { choices: n }), (answer) => answer);
}

/**
 * Starts a role that was declared with `spawned: true`, by its index in the list of roles (L01).
 *
 * @example
 * return [
 *   role('parent', function* () {
 *     spawn(1);
 *     yield* join(1);
 *   }),
 *   role('child', { spawned: true }, function* () {
 *     yield* compute(100);
 *   }),
 * ];
 */
export function spawn(role: number): void {
  post(makeOp(OpKind.spawn, { role }));
}

/**
 * Blocks until a role has ended, by its index in the list of roles (L01).
 *
 * @example
 * return [
 *   role('waits', function* () {
 *     yield* join(1);
 *   }),
 *   role('works', function* () {
 *     yield* compute(100);
 *   }),
 * ];
 */
export function join(role: number): Operation<void> {
  return operation(makeOp(OpKind.join, { role }));
}

/**
 * Ends the CTA of the role: other CTAs that reach its barriers and buffers afterwards cause a
 * `missing-drain` finding (L02).
 *
 * @example
 * yield* compute(100);
 * exit();
 */
export function exit(): void {
  post(makeOp(OpKind.exit, {}));
}

function isYes(answer: number): boolean {
  return answer === 1;
}
