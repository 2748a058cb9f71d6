// Operations on barriers: initialization, waits and arrivals.
import { makeOp, OpKind, type Op } from '../op/index.ts';
import { currentRole, post } from './context.ts';
import type { Barrier } from './declare.ts';
import { created, Operation, operation } from './operation.ts';
import { ctasOf, requireArrivals, requireWhole } from './operation-arguments.ts';
import { cachedArrive } from './op-cache.ts';
import type { ArriveOptions, CtaTargets } from './operation-options.ts';

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
  requireArrivals('the count of init()', count);
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
  return created(operation(makeOp(OpKind.wait, { barrier: target.id, phase }), 'wait()'));
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
  if (Object.is(bit, -0) || (bit !== 0 && bit !== 1))
    requireWhole('the parity of waitParity()', bit, 0, 1);
  const cached = (target.memo.parity ??= []);
  const { id: barrier } = target;
  return created(
    (cached[bit] ??= operation(
      makeOp(OpKind.waitParity, { barrier, parity: bit }),
      'waitParity()',
    )),
  );
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
  const op = makeOp(OpKind.tryWait, { barrier: target.id, phase });
  return created(new Operation(op, isYes, 'tryWait()'));
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
  requireArrivals('the count of arrive()', count);
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
  return cachedArrive(memo, target.id, ctasOf(reach), count, lanes, bytes);
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
  requireArrivals('the count of arriveDrop()', count);
  post(makeOp(OpKind.arriveDrop, { barrier: target.id, arrivals: count }));
}

function isYes(answer: number): boolean {
  return answer === 1;
}
