// Operations on memory: buffers, cells and pools.
import { currentPosition, InputError } from '../base/index.ts';
import { Fence, FenceSpace, makeOp, OpKind, orderOf } from '../op/index.ts';
import { currentRole, post, type RoleContext } from './context.ts';
import { postEach } from './by-strands.ts';
import type { AccessOptions, AcquireOptions, FenceOptions } from './operation-options.ts';
import type { ReleaseOptions } from './operation-options.ts';
import { requireOneAnswer, sharesBuffer } from './strand-operations.ts';
import type { Cell, Pool } from './declare.ts';
import type { Buffer } from './declared-buffer.ts';
import { created, Operation } from './operation.ts';
import { requireWhole, MOST } from './operation-arguments.ts';

/**
 * Reads a buffer (S01).
 *
 * @example
 * read(tile);
 */
export function read(target: Buffer, options?: AccessOptions): void {
  const context = currentRole('read()');
  if (options === undefined && context.role.part === null) {
    post((target.memo.read ??= makeOp(OpKind.read, { buffer: target.id, cta: null })));
  } else postEach(options?.by, makeOp(OpKind.read, accessOf(target, options ?? {}, context)));
}

/**
 * Writes a buffer (S01).
 *
 * @example
 * write(tile);
 */
export function write(target: Buffer, options?: AccessOptions): void {
  const context = currentRole('write()');
  if (options === undefined && context.role.part === null) {
    post((target.memo.write ??= makeOp(OpKind.write, { buffer: target.id, cta: null })));
  } else postEach(options?.by, makeOp(OpKind.write, accessOf(target, options ?? {}, context)));
}

/** W03: what all strands access, each of them accesses a part of. */
function accessOf(target: Buffer, { by = 'all', cta }: AccessOptions, context: RoleContext) {
  if (cta !== undefined) requireWhole('the CTA of an access', cta, 0);
  const isShared = by === 'all' && sharesBuffer(target.id, context);
  return { buffer: target.id, cta: cta ?? null, isShared };
}

/**
 * A fence (S13, F01, I03, T04, V02). It orders memory in the memory profiles `practice` and `isa`
 * of `check`, and has a cost in `simulate`.
 *
 * @throws InputError for a fence that does not exist, or options that do not belong to it.
 *
 * @example
 * write(tile);
 * fence('proxy.async');
 */
export function fence(kind: FenceKind = 'proxy.async', options: FenceOptions = {}): void {
  const { space, scope, map } = options;
  const args = {
    fence: numberOf(kind, options),
    space: space === undefined ? FenceSpace.all : FenceSpace[space],
    order: orderOf(undefined, scope),
    map: map?.id ?? null,
  };
  postEach(options.by, makeOp(OpKind.fence, args));
}

/** The kinds of fences. */
export type FenceKind =
  | 'proxy.async'
  | 'proxy.tensormap'
  | 'mbarrier.init'
  | 'release'
  | 'acquire'
  | 'acq_rel'
  | 'sc'
  | 'tcgen05.before'
  | 'tcgen05.after'
  | 'wgmma';

function numberOf(kind: FenceKind, { direction, map, space, scope }: FenceOptions): Fence {
  if (space !== undefined && !Object.hasOwn(FenceSpace, space)) {
    throw new InputError(`a fence has no space ${String(space)}`, currentPosition());
  }
  if (scope !== undefined && !['cta', 'cluster', 'gpu'].includes(scope)) {
    throw new InputError(`a fence has no scope ${String(scope)}`, currentPosition());
  }
  if (kind !== 'proxy.tensormap') {
    if (Object.hasOwn(Fence, kind)) return Fence[kind];
    throw new InputError(`there is no fence ${String(kind)}`, currentPosition());
  }
  if (direction !== 'release' && direction !== 'acquire') {
    throw new InputError(
      "fence('proxy.tensormap') needs a direction: 'release' or 'acquire'",
      currentPosition(),
    );
  }
  if (direction === 'acquire' && map === undefined) {
    throw new InputError('an acquire of a tensor map needs the map', currentPosition());
  }
  return Fence[`proxy.tensormap.${direction}`];
}

/**
 * Stores an integer in a cell (C01).
 *
 * @throws InputError for a value that is not a whole number.
 *
 * @example
 * store(flag, 1);
 */
export function store(target: Cell, value: number, options: ReleaseOptions = {}): void {
  requireWhole('the value of store()', value, -MOST);
  const order = orderOf(options.sem, options.scope);
  post(makeOp(OpKind.store, { cell: target.id, value, order }));
}

/**
 * Loads the value of a cell (C01).
 *
 * @example
 * const value = yield* load(flag);
 * if (value !== 0) write(tile);
 */
export function load(target: Cell, options: AcquireOptions = {}): Operation<number> {
  requireOneAnswer('load()');
  const order = orderOf(options.sem, options.scope);
  return created(new Operation(makeOp(OpKind.load, { cell: target.id, order }), asIs, 'load()'));
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
export function fetchAdd(
  target: Cell,
  amount: number,
  options: AcquireOptions = {},
): Operation<number> {
  requireWhole('the amount of fetchAdd()', amount, -MOST);
  requireOneAnswer('fetchAdd()');
  const order = orderOf(options.sem, options.scope);
  const op = makeOp(OpKind.fetchAdd, { cell: target.id, amount, order });
  return created(new Operation(op, asIs, 'fetchAdd()'));
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
  requireOneAnswer('alloc()');
  const op = makeOp(OpKind.alloc, { pool: from.id, units });
  const allocated = (id: number): Buffer =>
    from.buffers.find((one) => one.id === id) ?? from.buffers[0]!;
  return created(new Operation(op, allocated, 'alloc()'));
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

function asIs(answer: number): number {
  return answer;
}
