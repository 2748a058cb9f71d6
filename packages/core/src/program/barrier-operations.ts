// Operations on barriers: initialization, waits and arrivals.
import { requireOptions, surplus, uselessOption } from '../base/index.ts';
import { AUTO, makeOp, OpKind, orderOf, type Op } from '../op/index.ts';
import { currentRole, post } from './context.ts';
import type { Barrier } from './declare.ts';
import { created, Operation, operation } from './operation.ts';
import { ctasOf, requireArrivals, requireLanes, requireWhole } from './operation-arguments.ts';
import { cachedArrive } from './op-cache.ts';
import { createdBy, postBy, postEach } from './by-strands.ts';
import { ACQUIRE, ARRIVE, SIGNAL, WAIT } from './operation-options.ts';
import type { AcquireOptions, ArriveOptions, CtaTargets } from './operation-options.ts';
import type { SignalOptions, WaitOptions } from './operation-options.ts';
import { requireOneAnswer } from './strand-operations.ts';
import { BY_STRANDS, type By, type ByStrands } from './strands.ts';

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
export function init(target: Barrier, count: number, options: ByStrands = {}): void {
  requireOptions('init()', BY_STRANDS, options);
  requireArrivals('the count of init()', count);
  touch(target, options.by, true);
  postBy(options.by, makeOp(OpKind.init, { barrier: target.id, arrivals: count }));
}

/**
 * Ends the lifetime of a barrier: reaching it afterwards is `missing-drain` (M02).
 *
 * @example
 * arrive(bar);
 * yield* wait(bar, 0);
 * invalidate(bar);
 */
export function invalidate(target: Barrier, options: ByStrands = {}): void {
  requireOptions('invalidate()', BY_STRANDS, options);
  touch(target, options.by, false);
  postBy(options.by, makeOp(OpKind.invalidate, { barrier: target.id }));
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
export function wait(target: Barrier, phase: number, options?: WaitOptions): Operation<void> {
  if (options !== undefined) requireOptions('wait()', WAIT, options);
  requireWhole('the phase of wait()', phase, -1);
  touch(target, options?.by, false);
  if (options === undefined) {
    return created(operation(makeOp(OpKind.wait, { barrier: target.id, phase }), 'wait()'));
  }
  const order = orderOf(options.sem, options.scope);
  const op = makeOp(OpKind.wait, { barrier: target.id, phase, order });
  return createdBy(options.by, () => operation(op, 'wait()'));
}

/**
 * As {@link wait}, for the end of a scope, where nothing can be yielded: the operations after it
 * wait (P02).
 *
 * @example
 * arrive(bar);
 * {
 *   using _scope = { [Symbol.dispose]: () => postWait(bar, 0) };
 * }
 * read(tile);
 */
export function postWait(target: Barrier, phase: number): void {
  if (arguments.length > 2) throw surplus('postWait()', arguments[2]);
  requireWhole('the phase of postWait()', phase, -1);
  touch(target, undefined, false);
  post(makeOp(OpKind.wait, { barrier: target.id, phase }));
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
export function waitParity(target: Barrier, bit: number, options?: WaitOptions): Operation<void> {
  if (options !== undefined) requireOptions('waitParity()', WAIT, options);
  requireParity('waitParity()', bit);
  touch(target, options?.by, false);
  const { id: barrier } = target;
  if (options !== undefined) {
    const order = orderOf(options.sem, options.scope);
    const op = makeOp(OpKind.waitParity, { barrier, parity: bit, order });
    return createdBy(options.by, () => operation(op, 'waitParity()'));
  }
  const cached = (target.memo.parity ??= []);
  return created(
    (cached[bit] ??= operation(
      makeOp(OpKind.waitParity, { barrier, parity: bit }),
      'waitParity()',
    )),
  );
}

function requireParity(what: string, bit: number): void {
  if (Object.is(bit, -0) || (bit !== 0 && bit !== 1)) {
    requireWhole(`the parity of ${what}`, bit, 0, 1);
  }
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
export function tryWait(
  target: Barrier,
  phase: number,
  options: AcquireOptions = {},
): Operation<boolean> {
  requireOptions('tryWait()', ACQUIRE, options);
  requireWhole('the phase of tryWait()', phase, -1);
  requireOneAnswer('tryWait()');
  const order = orderOf(options.sem, options.scope);
  const op = makeOp(OpKind.tryWait, { barrier: target.id, phase, order });
  return created(new Operation(op, isYes, 'tryWait()'));
}

/**
 * Tests once whether the parity of the current phase differs from `bit`. Unlike {@link tryWait} it
 * names no phase: it may succeed because of any (M08).
 *
 * @throws InputError for a bit other than 0 and 1.
 *
 * @example
 * arrive(bar);
 * if (!(yield* tryWaitParity(bar, 0))) yield* waitParity(bar, 0);
 */
export function tryWaitParity(
  target: Barrier,
  bit: number,
  options: AcquireOptions = {},
): Operation<boolean> {
  requireOptions('tryWaitParity()', ACQUIRE, options);
  requireParity('tryWaitParity()', bit);
  requireOneAnswer('tryWaitParity()');
  const order = orderOf(options.sem, options.scope);
  const op = makeOp(OpKind.tryWait, { barrier: target.id, phase: bit, isRaw: true, order });
  return created(new Operation(op, isYes, 'tryWaitParity()'));
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
  if (options !== undefined) requireArriveOptions(options);
  postArrival(target, options);
}

/** As {@link arrive}, with options that are known to be right. */
export function postArrival(target: Barrier, options?: ArriveOptions): void {
  if (target.bytes !== null) touch(target, options?.by === 'each' ? 'all' : options?.by, false);
  if (options === undefined) return post((target.memo.arrive ??= arrival(target, {})));
  const { by } = options;
  const isOfEach = by === 'each' || options.everyLane === true;
  if (isOfEach) postEach('all', arrival(target, options));
  else postBy(by, arrival(target, options));
}

function requireArriveOptions(options: ArriveOptions): void {
  requireOptions('arrive()', ARRIVE, options);
  const { by, lanes, everyLane } = options;
  if (lanes !== undefined && (by === 'each' || everyLane === true)) {
    throw uselessOption('arrive()', 'lanes', 'where every thread arrives');
  }
  if (everyLane === true && by !== undefined && by !== 'each' && by !== 'all') {
    throw uselessOption('arrive()', 'everyLane', "beside 'by': it is for all threads of the role");
  }
}

function arrival(target: Barrier, options: ArriveOptions): Op {
  const { count = 1, bytes = 0, everyLane = false, by, sem, scope } = options;
  if (options.lanes !== undefined) {
    requireLanes(options.lanes, currentRole('arrive()').role.lanes);
  }
  requireArrivals('the count of arrive()', count);
  requireWhole('the bytes of arrive()', bytes, 0);
  const { lanes: some = 1 } = options;
  const lanes = everyLane || by === 'each' ? currentRole('arrive()').role.lanes : some;
  const order = orderOf(sem, scope);
  if (order === AUTO) return arrivalOf(target, lanes, options, count, bytes);
  const { id: barrier } = target;
  const ctas = ctasOf('arrive()', options, isGlobal(target));
  return makeOp(OpKind.arrive, { barrier, ctas, arrivals: count, lanes, bytes, order });
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
  const cached = (target.memo.plain ??= []);
  return (cached[lanes] ??= anyArrival(target, lanes, reach, 1, 0));
}

function anyArrival(
  target: Barrier,
  lanes: number,
  reach: CtaTargets,
  count: number,
  bytes: number,
): Op {
  const memo = (target.memo.ops ??= []);
  return cachedArrive(
    memo,
    target.id,
    ctasOf('arrive()', reach, isGlobal(target)),
    count,
    lanes,
    bytes,
  );
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
export function expectTx(target: Barrier, bytes: number, reach: SignalOptions = {}): void {
  requireOptions('expectTx()', SIGNAL, reach);
  requireWhole('the bytes of expectTx()', bytes, 0);
  touch(target, reach.by, false);
  const ctas = ctasOf('expectTx()', reach, isGlobal(target));
  postBy(reach.by, makeOp(OpKind.expectTx, { barrier: target.id, bytes, ctas }));
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
export function completeTx(target: Barrier, bytes: number, reach: SignalOptions = {}): void {
  requireOptions('completeTx()', SIGNAL, reach);
  requireWhole('the bytes of completeTx()', bytes, 0);
  const ctas = ctasOf('completeTx()', reach, isGlobal(target));
  postBy(reach.by, makeOp(OpKind.completeTx, { barrier: target.id, bytes, ctas }));
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
export function arriveDrop(target: Barrier, count = 1, options: ByStrands = {}): void {
  requireOptions('arriveDrop()', BY_STRANDS, options);
  requireArrivals('the count of arriveDrop()', count);
  postBy(options.by, makeOp(OpKind.arriveDrop, { barrier: target.id, arrivals: count }));
}

function isGlobal({ id }: Barrier): boolean {
  return currentRole('an operation').declarations.barriers[id]?.isGlobal === true;
}

function isYes(answer: number): boolean {
  return answer === 1;
}

/** I05: a use of a barrier is an access to its bytes, if they have a place. */
function touch({ bytes }: Barrier, by: By | undefined, isWrite: boolean): void {
  if (bytes === null) return;
  const args = { buffer: bytes.id, cta: null };
  postBy(by, isWrite ? makeOp(OpKind.write, args) : makeOp(OpKind.read, args));
}
