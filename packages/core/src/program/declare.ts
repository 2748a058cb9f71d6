// Declarations that a kernel's callback makes: barriers, buffers, cells, pools and counts.
import { InputError, currentPosition } from '../base/index.ts';
import { currentDeclarations, requireCount } from './declarations.ts';
import { OpKind, makeOp, type Declared, type Op } from '../op/index.ts';
import { SymbolicParameter } from './symbolic-parameter.ts';
import { More } from './preallocated-ops.ts';
import type { Operation } from './operation.ts';
import type { BarrierMode } from '../machine/index.ts';

/** A barrier in shared memory; in a cluster, one in every CTA. */
export interface Barrier extends Declared {
  readonly type: 'barrier';
  /** Operations on it that were made before, so that a hot loop makes none. */
  readonly memo: {
    parity: Operation<void>[] | undefined;
    arrive: Op | undefined;
    plain: Op[] | undefined;
    ops: Op[] | undefined;
  };
}
/** A piece of memory that roles read and write: what races are about. */
export interface Buffer extends Declared {
  readonly type: 'buffer';
  /** The pool that it is allocated from, −1 for memory that is always there. */
  readonly pool: number;
  readonly memo: { read: Op | undefined; write: Op | undefined; ops: Op[] | undefined };
}
/** A shared integer. */
export interface Cell extends Declared {
  readonly type: 'cell';
}
/** Memory that roles allocate from. */
export interface Pool extends Declared {
  readonly type: 'pool';
  readonly buffers: readonly Buffer[];
}

export interface BarrierOptions {
  /** Arrivals that complete a phase; 0: the program initializes it itself, with `init`. */
  readonly count?: number;
  readonly mode?: BarrierMode;
}

/** Declares a barrier that is ready before any role starts, unless its count is 0. */
export function barrier(name: string, options: BarrierOptions = {}): Barrier {
  const declarations = currentDeclarations('barrier()');
  const { count = 1, mode = 'parity' } = options;
  requireCount(`the count of barrier ${name}`, count, 0);
  declarations.claimName(name);
  const id = declarations.addBarrier(name, count, mode);
  // All fields from the start: objects of one shape are found faster.
  const memo = { parity: undefined, arrive: undefined, plain: undefined, ops: undefined };
  return { type: 'barrier', id, name, memo };
}

/** Declares a buffer; `bytes` is how large it is for `run`. */
export function buffer(name: string, options: { readonly bytes?: number } = {}): Buffer {
  const declarations = currentDeclarations('buffer()');
  const { bytes = 0 } = options;
  requireCount(`the bytes of buffer ${name}`, bytes, 0);
  declarations.claimName(name);
  declarations.bufferBytes.push(bytes);
  return {
    type: 'buffer',
    id: declarations.buffers.push(name) - 1,
    name,
    pool: -1,
    memo: { read: undefined, write: undefined, ops: undefined },
  };
}

/** Declares a shared integer with its value at the start. */
export function cell(name: string, initial = 0): Cell {
  const declarations = currentDeclarations('cell()');
  declarations.claimName(name);
  return { type: 'cell', id: declarations.cells.push({ name, initial }) - 1, name };
}

/** Declares a pool of `capacity` units that at most `buffers` allocations share at one time. */
export function pool(
  name: string,
  options: { readonly capacity: number; readonly buffers?: number },
): Pool {
  const declarations = currentDeclarations('pool()');
  const { capacity, buffers: most = 4 } = options;
  requireCount(`the capacity of pool ${name}`, capacity, 1);
  requireCount(`the buffers of pool ${name}`, most, 1);
  declarations.claimName(name);
  const buffers = Array.from({ length: most }, (_, index) => {
    return { ...buffer(`${name}[${index}]`), pool: declarations.pools.length };
  });
  const ids = buffers.map((one) => one.id);
  const id = declarations.pools.push({ name, capacity, buffers: ids }) - 1;
  return { type: 'pool', id, name, buffers };
}

/** A number of items that every role counts down by itself. */
export interface Count {
  /** `true` so many times as the count is, then `false`; each role counts for itself. */
  readonly more: () => Operation<boolean>;
}

/**
 * Declares how many items there are.
 *
 * @example
 * const items = count(tiles);
 * while (yield* items.more()) { … }
 */
export function count(total: number, name?: string): Count {
  const declarations = currentDeclarations('count()');
  const label = name ?? `count${declarations.counts.length}`;
  const isEvery = (total as unknown) instanceof SymbolicParameter;
  if (!isEvery) requireCount(label, total, 0);
  const isAny = isEvery || total >= declarations.anyFrom;
  declarations.claimName(label);
  const declared = { name: label, total: isEvery ? Number.POSITIVE_INFINITY : total, isAny };
  const id = declarations.counts.push(declared) - 1;
  const more = new More(makeOp(OpKind.more, { count: id }));
  return { more: () => more };
}

export interface LaunchOptions {
  /** CTAs that run the kernel at the same time and share the memory; 1 unless given. */
  readonly ctas?: number;
  /** Where the copied data is: `l2` unless given. */
  readonly source?: string;
  /** Whether copies take tiles of a matrix, row by row, and not one range of bytes each. */
  readonly tiled?: boolean;
}

/**
 * Says how the kernel is launched. Only `simulate` looks at it: what is correct does not depend
 * on where the data comes from.
 *
 * @throws InputError for a source that is neither `l2` nor `hbm`.
 * @example
 * launch({ ctas: 132, source: 'hbm' });
 */
export function launch({ ctas = 1, source = 'l2', tiled = false }: LaunchOptions): void {
  const declarations = currentDeclarations('launch()');
  requireCount('the ctas of launch()', ctas, 1);
  if (source !== 'l2' && source !== 'hbm') {
    throw new InputError(
      `the source of launch() must be l2 or hbm, not ${source}`,
      currentPosition(),
    );
  }
  declarations.launch = { ctas, source, tiled };
}
