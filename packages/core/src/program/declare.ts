// Declarations that a kernel's callback makes: barriers, buffers, cells, pools and counts.
import {
  currentPosition,
  InputError,
  option,
  optionTable,
  requireOptions,
  requireWord,
  surplus,
  uselessOption,
  type OptionsOf,
} from '../base/index.ts';
import { currentDeclarations, requireCount, SPACES } from './declarations.ts';
import { OpKind, makeOp, type Declared, type Op } from '../op/index.ts';
import type { Lack } from './declarations.ts';
import { DeclaredBuffer, type Buffer } from './declared-buffer.ts';
import { symbolicOf } from './symbolic-parameter.ts';
import { More } from './preallocated-ops.ts';
import { created, type Operation } from './operation.ts';
import { BARRIER_MODES, MAX_PENDING } from '../machine/index.ts';
import { MOST } from './whole.ts';

/** An mbarrier in shared memory; in a cluster, one in every CTA. */
export interface Barrier extends Declared {
  /** The type of declaration. */
  readonly type: 'barrier';
  /** Its 8 bytes, if it has a place (I05). */
  readonly bytes: Buffer | null;
  /** @internal */
  readonly memo: {
    parity: Operation<void>[] | undefined;
    arrive: Op | undefined;
    plain: Op[] | undefined;
    ops: Op[] | undefined;
  };
}
/** A shared integer that never races. */
export interface Cell extends Declared {
  /** The type of declaration. */
  readonly type: 'cell';
}
/** A pool of memory that roles allocate from, such as tensor memory. */
export interface Pool extends Declared {
  /** The type of declaration. */
  readonly type: 'pool';
  /** What {@link alloc} returns, one for each allocation that can exist at one time. */
  readonly buffers: readonly Buffer[];
}

const space = option.oneOf('shared', 'global');
/** A number whose range is checked where it is used. */
const number = option.checkedLater<number>();

export const BARRIER = optionTable({
  /**
   * Arrivals that complete a phase; 1 unless specified. With 0 the program initializes the barrier
   * by {@link init}.
   */
  count: number,
  /** How waits recognize a phase; `parity` unless specified. */
  mode: option.oneOf(...BARRIER_MODES),
  /** Its first byte in shared memory, of 8; unless specified, no buffer is in its bytes (I05). */
  at: number,
  /**
   * `shared` unless specified: one in each CTA. In `global` memory there is one for all CTAs (C02),
   * a word that threads add to and poll.
   */
  space,
  /**
   * Whether it stands for something else that is waited for, as groups of work: messages do not
   * speak of it as of a barrier of the program.
   *
   * @internal
   */
  isHidden: option.internal(option.flag),
  /**
   * What it stands for, where a wait for it is one that never ends for another reason.
   *
   * @internal
   */
  lack: option.internal(option.checkedLater<Lack>()),
  /**
   * Buffers in global memory that are the word which it counts: an arrival writes them.
   *
   * @internal
   */
  word: option.internal(option.checkedLater<readonly number[]>()),
});

/** Options of {@link barrier}. */
export interface BarrierOptions extends OptionsOf<typeof BARRIER> {}

export const CELL = optionTable({
  /** `shared` unless specified: one in each CTA; in `global` memory one for all CTAs (C02). */
  space,
});

/** Options of {@link cell}. */
export interface CellOptions extends OptionsOf<typeof CELL> {}

/** An mbarrier in shared memory. */
const BARRIER_BYTES = 8;

/**
 * Declares an mbarrier, which is initialized before any role starts unless its count is 0 (M01).
 *
 * @throws InputError outside a kernel's callback, for a name that is in use, or a count that is
 * not a whole number.
 *
 * @example
 * const full = barrier('full', { count: 2 });
 * const load = (name: string) =>
 *   role(name, function* () {
 *     arrive(full);
 *   });
 * return [
 *   load('load a'),
 *   load('load b'),
 *   role('mma', function* () {
 *     yield* wait(full, 0);
 *   }),
 * ];
 */
export function barrier(name: string, options: BarrierOptions = {}): Barrier {
  requireOptions('barrier()', BARRIER, options);
  return declareBarrier(name, options);
}

/** As {@link barrier}, of options that are known to be right: a ring declares many. */
export function declareBarrier(name: string, options: BarrierOptions): Barrier {
  const declarations = currentDeclarations('barrier()');
  const {
    count = 1,
    mode = 'parity',
    at,
    space = 'shared',
    isHidden = false,
    lack,
    word,
  } = options;
  requireCount(`the count of barrier ${name}`, count, 0, MAX_PENDING);
  declarations.claimName(name);
  const id = declarations.addBarrier(name, count, mode, space === 'global');
  if (isHidden) declarations.hiddenBarriers.add(id);
  if (lack !== undefined) declarations.lacks.set(id, lack);
  if (word !== undefined) declarations.words.set(id, word);
  if (at !== undefined) {
    requireCount(`the place of barrier ${name}`, at, 0);
    if (space === 'global') {
      throw uselessOption('barrier()', 'at', "with space 'global': it is a place in shared memory");
    }
    declarations.barrierPlaces.set(id, at);
  }
  // All fields from the start: objects of one shape are found faster.
  const memo = { parity: undefined, arrive: undefined, plain: undefined, ops: undefined };
  const bytes =
    at === undefined ? null : declareBuffer(`${name} (8 bytes)`, { at, bytes: BARRIER_BYTES });
  return { type: 'barrier', id, name, bytes, memo };
}

export const BUFFER = optionTable({
  /** Size in bytes, which `run` allocates; 0 unless specified. */
  bytes: number,
  /** The memory that it is in; `shared` unless specified. Global memory is that of all CTAs. */
  space: option.oneOf(...SPACES),
  /**
   * Its first byte in that memory. Buffers with bytes in common are accessed together (B01).
   * Unless specified, it has a place of its own.
   */
  at: number,
  /**
   * What the stages of its ring have in common; its name without a number in brackets unless
   * specified.
   */
  family: option.text,
});

/** Options of {@link buffer}. */
export interface BufferOptions extends OptionsOf<typeof BUFFER> {}

/**
 * Declares a buffer (S01).
 *
 * @throws InputError outside a kernel's callback, for a name that is in use, or a size that is not
 * a whole number.
 *
 * @example
 * const sums = buffer('sums', { bytes: 1024 });
 * return [
 *   role('add', function* () {
 *     write(sums);
 *     yield* compute(100);
 *     read(sums);
 *   }),
 * ];
 */
export function buffer(name: string, options: BufferOptions = {}): Buffer {
  requireOptions('buffer()', BUFFER, options);
  return declareBuffer(name, options);
}

/** As {@link buffer}, of options that are known to be right: a ring declares many. */
export function declareBuffer(name: string, options: BufferOptions): Buffer {
  const declarations = currentDeclarations('buffer()');
  const { bytes = 0, space = 'shared', at, family } = options;
  requireCount(`the bytes of buffer ${name}`, bytes, 0, Number.MAX_SAFE_INTEGER);
  if (at !== undefined) requireCount(`the place of buffer ${name}`, at, 0);
  declarations.claimName(name);
  declarations.bufferBytes.push(bytes);
  // A place without bytes is one byte: what begins there.
  const ring = family === undefined ? {} : { family };
  declarations.places.push({ space, at: at ?? -1, bytes: Math.max(bytes, 1), ...ring });
  const id = declarations.buffers.push(name) - 1;
  return new DeclaredBuffer(id, name, -1);
}

/**
 * Declares a shared integer with its initial value (C01).
 *
 * @throws InputError outside a kernel's callback, for a name that is in use, or an initial value
 * that is not a whole number.
 *
 * @example
 * const next = cell('next', 0);
 * const worker = (name: string) =>
 *   role(name, function* () {
 *     yield* compute(yield* fetchAdd(next, 1));
 *   });
 * return [worker('a'), worker('b')];
 */
export function cell(name: string, initial = 0, options: CellOptions = {}): Cell {
  const declarations = currentDeclarations('cell()');
  requireOptions('cell()', CELL, options);
  requireCount(`the initial value of cell ${name}`, initial, -MOST);
  declarations.claimName(name);
  const isGlobal = options.space === 'global';
  return { type: 'cell', id: declarations.cells.push({ name, initial, isGlobal }) - 1, name };
}

export const POOL = optionTable({
  /** Units in the pool, such as the 512 columns of tensor memory. */
  capacity: number,
  /** The most allocations at one time; 4 unless specified. */
  buffers: number,
});

/** Options of {@link pool}. */
export interface PoolOptions extends OptionsOf<typeof POOL, 'capacity'> {}

/**
 * Declares a pool of `capacity` units, of which at most `buffers` allocations exist at one time
 * (A01).
 *
 * @throws InputError outside a kernel's callback, for a name that is in use, or an option that is
 * not a whole number.
 *
 * @example
 * const tmem = pool('tmem', { capacity: 512 });
 * return [
 *   role('epilogue', function* () {
 *     const columns = yield* alloc(tmem, 128);
 *     write(columns);
 *     free(columns);
 *     relinquish(tmem);
 *   }),
 * ];
 */
export function pool(name: string, options: PoolOptions): Pool {
  const declarations = currentDeclarations('pool()');
  requireOptions('pool()', POOL, options);
  const { capacity, buffers: most = 4 } = options;
  requireCount(`the capacity of pool ${name}`, capacity, 1);
  requireCount(`the buffers of pool ${name}`, most, 1);
  declarations.claimName(name);
  const buffers = Array.from({ length: most }, (_, index) => {
    const { id: own, name: of } = declareBuffer(`${name}[${index}]`, { space: 'tmem' });
    return new DeclaredBuffer(own, of, declarations.pools.length);
  });
  const ids = buffers.map((one) => one.id);
  const id = declarations.pools.push({ name, capacity, buffers: ids }) - 1;
  return { type: 'pool', id, name, buffers };
}

/** A number of items that each role counts down independently: see {@link count}. */
export interface Count {
  /**
   * Returns `true` as many times as the count says, then `false`; each role counts for itself
   * (P05).
   */
  readonly more: () => Operation<boolean>;
}

/**
 * Declares a number of items. Unlike a `for` loop over a parameter, a count can be proved for
 * every value (`every` of `check`).
 *
 * @throws InputError outside a kernel's callback, or for a total that is not a whole number of at
 * least 0.
 *
 * @example
 * const items = count(8);
 * return [
 *   role('load', function* () {
 *     while (yield* items.more()) yield* compute(100);
 *   }),
 * ];
 */
export function count(total: number, name?: string): Count {
  if (arguments.length > 2) throw surplus('count()', arguments[2]);
  if (name !== undefined && typeof name !== 'string') throw surplus('count()', name);
  const declarations = currentDeclarations('count()');
  const label = name ?? `count${declarations.counts.length}`;
  const symbolic = symbolicOf(total);
  if (symbolic === undefined) requireCount(label, total, 0);
  else symbolic.counted();
  const { open } = declarations;
  declarations.claimName(label);
  const declared =
    symbolic === undefined
      ? { total, isAny: total >= open.from && total <= open.to, least: open.least }
      : { total: Infinity, isAny: true, least: symbolic.least };
  const id = declarations.counts.push({ name: label, ...declared }) - 1;
  const more = new More(makeOp(OpKind.more, { count: id }));
  return { more: () => created(more) };
}

/** Registers that a thread can have. */
const MOST_REGISTERS = 256;
/** The version of PTX that is taken for the code's. */
const NEWEST = '9.3';

export const LAUNCH = optionTable({
  /** CTAs that run the kernel at the same time and share the memory; 1 unless specified. */
  ctas: number,
  /** Where copies read from: `l2` or `hbm`; `l2` unless specified. */
  source: option.text,
  /**
   * How copies without a tensor map of their own are made: as one range of bytes (`bulk`,
   * cp.async.bulk) or as boxes of a tensor map (`tensor`, cp.async.bulk.tensor). `bulk` unless
   * specified.
   */
  copies: option.oneOf('bulk', 'tensor'),
  /**
   * The name of `copies: 'tensor'` in version 0.1, which fitted it to kernels of bulk copies:
   * kernels with tensor-core work, and clusters, still get `bulk` by it. New kernels use `copies`.
   */
  tiled: option.flag,
  /**
   * Whether the CTAs of a cluster begin `together`, or `apart`: then what reaches into another CTA
   * must know that it has begun (X01). `together` unless specified.
   */
  begin: option.oneOf('together', 'apart'),
  /**
   * The version of PTX that the code is of, such as `9.2`: before 9.3, the ISA promises a copy the
   * initialization of its barrier only after a fence, which the profile `isa` demands (I04).
   */
  ptx: option.text,
  /**
   * Registers of each thread as the compiler reports them (`ptxas -v`, `cuobjdump -res-usage`): an
   * SM has 65,536 for all of its warps. They limit nothing unless specified.
   */
  registers: number,
  /**
   * Bytes of shared memory that a CTA is launched with, which limit how many an SM holds; what its
   * buffers and barriers take unless specified.
   */
  sharedBytes: number,
});

/** Options of {@link launch}. */
export interface LaunchOptions extends OptionsOf<typeof LAUNCH> {}

/**
 * Describes the launch of the kernel. Only `simulate` uses where data comes from and how many CTAs
 * run; `check` uses how the CTAs of a cluster begin.
 *
 * @throws InputError for a source that is neither `l2` nor `hbm`, or a number that is out of range.
 *
 * @example
 * launch({ ctas: 132, source: 'hbm' });
 * return [
 *   role('load', function* () {
 *     yield* compute(100);
 *   }),
 * ];
 */
export function launch(options: LaunchOptions): void {
  const declarations = currentDeclarations('launch()');
  requireOptions('launch()', LAUNCH, options);
  declarations.claimOnce('launch()');
  if (options.tiled !== undefined && options.copies !== undefined) {
    throw uselessOption('launch()', 'tiled', "beside 'copies'");
  }
  const { ctas = 1, source = 'l2', tiled = false, begin = 'together', ptx = NEWEST } = options;
  const { copies = tiled ? 'tiled' : 'bulk', registers = null, sharedBytes = null } = options;
  requireCount('the ctas of launch()', ctas, 1);
  requireWord('the source of launch()', source, ['l2', 'hbm']);
  if (registers !== null) requireCount('the registers of launch()', registers, 1, MOST_REGISTERS);
  if (sharedBytes !== null) requireCount('the sharedBytes of launch()', sharedBytes, 0);
  const isOldPtx = isBefore93(ptx);
  declarations.launch = {
    ctas,
    source,
    copies,
    begin,
    isOldPtx,
    registers,
    sharedBytes,
  };
}

function isBefore93(ptx: string): boolean {
  const version = /^(\d+)\.(\d+)$/.exec(ptx);
  if (version === null) {
    throw new InputError(
      `the ptx of launch() must be a version such as 9.2, not ${ptx}`,
      currentPosition(),
    );
  }
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major < 9 || (major === 9 && minor < 3);
}
