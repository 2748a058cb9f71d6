// Operations on memory: buffers, cells and pools.
import {
  currentPosition,
  InputError,
  requireOptions,
  requireWord,
  surplus,
  uselessOption,
} from '../base/index.ts';
import { Fence, FenceSpace, makeOp, OpKind, orderOf } from '../op/index.ts';
import { currentRole, post, type RoleContext } from './context.ts';
import { postEach } from './by-strands.ts';
import { ACCESS, ACQUIRE, FENCE, RELEASE } from './operation-options.ts';
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
  } else
    postEach(
      options?.by,
      makeOp(OpKind.read, accessOf('read()', target, options ?? NONE, context)),
    );
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
  } else
    postEach(
      options?.by,
      makeOp(OpKind.write, accessOf('write()', target, options ?? NONE, context)),
    );
}

/** W03: what all strands access, each of them accesses a part of. */
function accessOf(call: string, target: Buffer, options: AccessOptions, context: RoleContext) {
  requireOptions(call, ACCESS, options);
  const { by = 'all', cta } = options;
  if (cta !== undefined) {
    requireWhole('the CTA of an access', cta, 0);
    if (context.declarations.places[target.id]?.space === 'global') {
      throw uselessOption(call, 'cta', 'on what is in global memory, which all CTAs share');
    }
  }
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
  requireFence(kind, options);
  const { space, scope, map } = options;
  const args = {
    fence: numberOf(kind, options),
    space: space === undefined ? FenceSpace.all : FenceSpace[space],
    order: orderOf(undefined, scope),
    map: map?.id ?? null,
  };
  postEach(options.by, makeOp(OpKind.fence, args));
}

/** By fence: the options that it has, beside `by`. */
const FENCES = {
  'proxy.async': ['space'],
  'proxy.tensormap': ['direction', 'map'],
  'mbarrier.init': [],
  release: ['scope'],
  acquire: ['scope'],
  acq_rel: ['scope'],
  sc: ['scope'],
  'tcgen05.before': [],
  'tcgen05.after': [],
  wgmma: [],
} as const satisfies Readonly<Record<string, readonly (keyof FenceOptions)[]>>;

/** The kinds of fences. */
export type FenceKind = keyof typeof FENCES;

const FENCE_KINDS = Object.keys(FENCES) as FenceKind[];

function requireFence(kind: FenceKind, options: FenceOptions): void {
  requireWord('the kind of fence()', kind, FENCE_KINDS);
  requireOptions('fence()', FENCE, options);
  const own: readonly (keyof FenceOptions)[] = FENCES[kind];
  for (const name of Object.keys(options) as (keyof FenceOptions)[]) {
    if (options[name] === undefined || name === 'by' || own.includes(name)) continue;
    throw uselessOption(`fence('${kind}')`, name, '');
  }
}

function numberOf(kind: FenceKind, { direction, map }: FenceOptions): Fence {
  if (kind !== 'proxy.tensormap') return Fence[kind];
  if (direction === undefined) {
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
  requireOptions('store()', RELEASE, options);
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
  requireOptions('load()', ACQUIRE, options);
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
  requireOptions('fetchAdd()', ACQUIRE, options);
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
  if (arguments.length > 2) throw surplus('alloc()', arguments[2]);
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
  if (arguments.length > 1) throw surplus('free()', arguments[1]);
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
  if (arguments.length > 1) throw surplus('relinquish()', arguments[1]);
  post(makeOp(OpKind.relinquish, { pool: from.id }));
}

const NONE: AccessOptions = {};

function asIs(answer: number): number {
  return answer;
}
