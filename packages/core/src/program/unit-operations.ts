// Operations on asynchronous units: copies, work, commits and groups.
import { makeOp, OpKind, type Op, type Unit } from '../op/index.ts';
import { currentRole, post } from './context.ts';
import type { Barrier, Buffer } from './declare.ts';
import { created, operation, type Operation } from './operation.ts';
import { requireWhole, ctasOf, OWN_CTA, MOST } from './operation-arguments.ts';
import { makeCopy, makeUse, cachedCommit, cachedCopy, cachedUse } from './op-cache.ts';
import type { CopyOptions, CtaTargets, UseOptions } from './operation-options.ts';

const NO_BUFFERS: readonly Buffer[] = [];

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
  post(work === undefined ? cachedCopy(memoOf(into[0] ?? bar), parts) : makeCopy(parts, work));
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
  post(work === undefined ? cachedUse(memo, parts) : makeUse(parts, work));
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
  post(cachedCommit(memoOf(bar), unit, bar.id, ctasOf(reach)));
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
    if (known.unit === unit && known.inFlight === inFlight) return created(known.wait);
  }
  const wait = operation(makeOp(OpKind.waitGroup, { unit, inFlight }), 'waitGroup()');
  groupWaits.push({ unit, inFlight, wait });
  return created(wait);
}

/** The operations that were made before on what they name first. */
function memoOf(target: Barrier | Buffer | undefined): Op[] {
  return target === undefined ? [] : (target.memo.ops ??= []);
}
