// Operations on memory: buffers, cells and pools.
import { currentPosition, InputError } from '../base/index.ts';
import { makeOp, OpKind } from '../op/index.ts';
import { post } from './context.ts';
import type { Buffer, Cell, Pool } from './declare.ts';
import { created, Operation } from './operation.ts';
import { requireWhole, MOST } from './operation-arguments.ts';

/**
 * Reads a buffer (S01).
 *
 * @example
 * read(tile);
 */
export function read(target: Buffer): void {
  post((target.memo.read ??= makeOp(OpKind.read, { buffer: target.id, cta: null })));
}

/**
 * Writes a buffer (S01).
 *
 * @example
 * write(tile);
 */
export function write(target: Buffer): void {
  post((target.memo.write ??= makeOp(OpKind.write, { buffer: target.id, cta: null })));
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
  return created(new Operation(makeOp(OpKind.load, { cell: target.id }), asIs, 'load()'));
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
  const op = makeOp(OpKind.fetchAdd, { cell: target.id, amount });
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
