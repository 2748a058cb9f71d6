// Operations on asynchronous units: copies, work, commits and groups.
import { requireOptions, uselessOption } from '../base/index.ts';
import { makeOp, OpKind, requireUnit, UNITS, type Op, type Unit } from '../op/index.ts';
import { currentRole, postOwn } from './context.ts';
import type { Barrier } from './declare.ts';
import type { Buffer } from './declared-buffer.ts';
import { created, operation, type Operation } from './operation.ts';
import { requireWhole, ctasOf, OWN_CTA, MOST } from './operation-arguments.ts';
import { makeCopy, makeUse, cachedCommit, cachedCopy, cachedUse } from './op-cache.ts';
import type { CopyParts } from './op-cache.ts';
import { createdBy, createdOnce, postBy, postEach } from './by-strands.ts';
import { COPY, GROUP, SIGNAL, SIGNAL_WHEN_DONE, USE } from './operation-options.ts';
import type { CopyOptions, GroupOptions, SignalOptions } from './operation-options.ts';
import type { SignalWhenDoneOptions, UseOptions } from './operation-options.ts';
import { joinStrands } from './strand-joins.ts';
import { isApart, sharesBuffer } from './strand-operations.ts';
import { hasStores } from './stores.ts';
import { BY_STRANDS, type By, type ByStrands } from './strands.ts';

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
  requireUnit('asyncCopy()', unit);
  requireCopyOptions(options);
  postCopy(unit, options);
}

/** As {@link asyncCopy}, with options that are known to be right. */
export function postCopy(unit: Unit, options: CopyOptions): void {
  const { bar, by, reads, map, group: closesGroup = false, work = null } = options;
  const parts = copyPartsOf(unit, options);
  const { into } = parts;
  const context = currentRole('asyncCopy()');
  const isShared = isApart(context) && by === undefined && isOfEach(unit);
  if (isShared) for (const { id } of into) sharesBuffer(id, context);
  const isPlain = reads === undefined && map === undefined && !closesGroup && work === null;
  if (isPlain && !isShared) return postFor(unit, by, cachedCopy(memoOf(into[0] ?? bar), parts));
  const from = { reads: reads?.map(({ id }) => id) ?? [], map: map?.id ?? null };
  postFor(unit, by, makeCopy({ ...parts, ...from, closesGroup, isShared }, work));
}

function requireCopyOptions(options: CopyOptions): void {
  requireOptions('asyncCopy()', COPY, options);
  if (options.value !== undefined && options.cell === undefined) {
    throw uselessOption('asyncCopy()', 'value', "without a 'cell'");
  }
  if (options.ctaGroup === 2 && options.bar === undefined) {
    throw uselessOption('asyncCopy()', 'ctaGroup', "without a 'bar', whose CTA it chooses");
  }
}

/** What every copy says. */
function copyPartsOf(unit: Unit, options: CopyOptions): CopyParts {
  const { into = NO_BUFFERS, bar, bytes = 0, cell, value = 0, ctaGroup = 1 } = options;
  requireWhole('the bytes of asyncCopy()', bytes, 0);
  requireWhole('the value of asyncCopy()', value, -MOST);
  requireWhole('the ctaGroup of asyncCopy()', ctaGroup, 1, 2);
  const [barrier, ctas] = [bar?.id ?? null, ctasOf('asyncCopy()', options)];
  return { unit, ctas, barrier, bytes, into, cell: cell?.id ?? null, value, ctaGroup };
}

/** Units that each strand of a role works with itself; of others, one strand is elected. */
function isOfEach({ owner, groups, name }: Unit): boolean {
  return owner === 'team' || groups === 'each' || name === UNITS.cpAsync.name;
}

function postFor(unit: Unit, by: By | undefined, op: Op): void {
  if (isOfEach(unit)) postEach(by, op);
  else postBy(by, op);
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
  requireUnit('asyncUse()', unit);
  requireOptions('asyncUse()', USE, options);
  postUse(unit, options);
}

/** As {@link asyncUse}, with options that are known to be right. */
export function postUse(unit: Unit, options: UseOptions): void {
  const { reads = NO_BUFFERS, writes = NO_BUFFERS, by } = options;
  const { cycles = 0, work, group = unit.groups === 'each' } = options;
  requireWhole('the cycles of asyncUse()', cycles, 0);
  const context = currentRole('asyncUse()');
  const isShared = isApart(context) && by === undefined && isOfEach(unit);
  if (isShared) for (const { id } of [...reads, ...writes]) sharesBuffer(id, context);
  const parts = {
    unit,
    ctas: ctasOf('asyncUse()', options),
    reads,
    writes,
    closesGroup: group,
    cycles,
  };
  const memo = memoOf(reads[0] ?? writes[0]);
  const isPlain = work === undefined && !isShared;
  const op = isPlain ? cachedUse(memo, parts) : makeUse({ ...parts, isShared }, work ?? null);
  const once = by === undefined && !isOfEach(unit) && isApart(context);
  if (once) postOwn(context, joinStrands(context.role));
  postEach(once ? 'one' : by, op);
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
export function commit(unit: Unit, bar: Barrier, reach: SignalOptions = {}): void {
  requireUnit('commit()', unit);
  requireOptions('commit()', SIGNAL, reach);
  postOnce(reach.by, unit, cachedCommit(memoOf(bar), unit, bar.id, ctasOf('commit()', reach)));
}

/**
 * Issues one arrival at `bar`, which happens when all earlier work of this thread on `unit` has
 * completed, as `cp.async.mbarrier.arrive` does. Unless it is `noInc`, the phase counts one arrival
 * more, so that the barrier needs no room for it (U08).
 *
 * @example
 * asyncCopy(UNITS.cpAsync, { into: [tile] });
 * signalWhenDone(UNITS.cpAsync, bar);
 * arrive(bar);
 * yield* wait(bar, 0);
 * read(tile);
 */
export function signalWhenDone(
  unit: Unit,
  bar: Barrier,
  options: SignalWhenDoneOptions = {},
): void {
  requireUnit('signalWhenDone()', unit);
  requireOptions('signalWhenDone()', SIGNAL_WHEN_DONE, options);
  const adds = options.noInc !== true;
  postOnce(options.by, unit, makeOp(OpKind.commit, { unit, ctas: OWN_CTA, barrier: bar.id, adds }));
}

/** Once for all strands where one of them works with the unit, else for each. */
function postOnce(by: By | undefined, unit: Unit, op: Op): void {
  const context = currentRole('an operation on a unit');
  const once = by === undefined && !isOfEach(unit) && isApart(context);
  if (once) postOwn(context, joinStrands(context.role));
  postEach(once ? 'one' : by, op);
}

/**
 * Closes a group of the work that this role issued since the last group (U04).
 *
 * @example
 * asyncUse(UNITS.mma, { reads: [tile] });
 * commitGroup(UNITS.mma);
 * yield* waitGroup(UNITS.mma, 0);
 */
export function commitGroup(unit: Unit, options: ByStrands = {}): void {
  requireUnit('commitGroup()', unit);
  requireOptions('commitGroup()', BY_STRANDS, options);
  postOnce(options.by, unit, makeOp(OpKind.commit, { unit, ctas: OWN_CTA, barrier: null }));
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
export function waitGroup(unit: Unit, inFlight: number, options?: GroupOptions): Operation<void> {
  requireUnit('waitGroup()', unit);
  if (options !== undefined) requireGroupOptions(unit, options);
  requireWhole('the groups that waitGroup() leaves open', inFlight, 0);
  const context = currentRole('waitGroup()');
  if (options !== undefined || isApart(context)) {
    const { by, read = false } = options ?? {};
    const op = makeOp(OpKind.waitGroup, { unit, inFlight, isRead: read });
    const make = (): Operation<void> => operation(op, 'waitGroup()');
    return isOfEach(unit) ? createdBy(by, make) : createdOnce(by, make);
  }
  const { groupWaits } = context;
  for (const known of groupWaits) {
    if (known.unit === unit && known.inFlight === inFlight) return created(known.wait);
  }
  const wait = operation(makeOp(OpKind.waitGroup, { unit, inFlight }), 'waitGroup()');
  groupWaits.push({ unit, inFlight, wait });
  return created(wait);
}

function requireGroupOptions(unit: Unit, options: GroupOptions): void {
  requireOptions('waitGroup()', GROUP, options);
  if (options.read === true && !hasStores(unit)) {
    throw uselessOption('waitGroup()', 'read', `on ${unit.name}, which stores nothing`);
  }
}

/** The operations that were made before on what they name first. */
function memoOf(target: Barrier | Buffer | undefined): Op[] {
  return target === undefined ? [] : (target.memo.ops ??= []);
}
