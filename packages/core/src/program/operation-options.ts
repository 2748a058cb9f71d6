// The options of operations, as tables: where they reach, and what they read, write and count.
import { option, optionTable, type OptionsOf, type OptionValue } from '../base/index.ts';
import { SCOPES, type Declared, type Scope } from '../op/index.ts';
import type { Barrier, Cell } from './declare.ts';
import type { Buffer } from './declared-buffer.ts';
import { BY_STRANDS, strandsOr } from './strands.ts';
import type { Work } from './work.ts';

/** Something that the kernel declares. */
function declared<T extends Declared & { readonly type: string }>(type: T['type']): OptionValue<T> {
  return option.object<T>(`a ${type}`, (value) => (value as Partial<T>).type === type);
}

const buffers = option.list(declared<Buffer>('buffer'));
/** A number that the operation itself checks: it says which range it has. */
const count = option.checkedLater<number>();
const scope = option.oneOf(...(Object.keys(SCOPES) as Scope[]));

export const CTA_TARGETS = optionTable({
  /** One CTA, by its number in the cluster. */
  cta: count,
  /** Several CTAs. */
  ctas: option.list(count),
});

/**
 * The CTAs that an operation reaches: one, several (multicast), or the role's own if neither is
 * specified.
 */
export interface CtaTargets extends OptionsOf<typeof CTA_TARGETS> {}

export const RELEASE = optionTable({
  /** `relaxed`: it only counts, and carries no memory. */
  sem: option.oneOf('release', 'relaxed'),
  /** The threads that it orders memory for. */
  scope,
});

/** How an arrival orders memory (S11): unless specified, for all threads and in full. */
export interface ReleaseOptions extends OptionsOf<typeof RELEASE> {}

export const ACQUIRE = optionTable({
  /** `relaxed`: it only blocks, and takes no memory. */
  sem: option.oneOf('acquire', 'relaxed'),
  /** The threads that it orders memory for. */
  scope,
});

/** How a wait orders memory (S11): unless specified, for all threads and in full. */
export interface AcquireOptions extends OptionsOf<typeof ACQUIRE> {}

/** Options of waits. */
export const WAIT = optionTable({ ...ACQUIRE.values, ...BY_STRANDS.values });
/** Options of waits and of tries. */
export interface WaitOptions extends OptionsOf<typeof WAIT> {}

export const ARRIVE = optionTable({
  ...CTA_TARGETS.values,
  ...RELEASE.values,
  /**
   * The strands that arrive: one that is elected after all have come, unless specified; `each`:
   * every thread of the role.
   */
  by: strandsOr('each'),
  /** How many arrivals the operation counts as; 1 unless specified. */
  count,
  /** Bytes to expect in the same operation (`mbarrier.arrive.expect_tx`); 0 unless specified. */
  bytes: count,
  /** Whether every thread of the role arrives instead of one elected thread. */
  everyLane: option.flag,
  /** How many threads of the role arrive, as under `if (lane < n)`; 1 unless specified. */
  lanes: count,
});

/** Options of {@link arrive}. */
export interface ArriveOptions extends OptionsOf<typeof ARRIVE> {}

/** How many neighboring CTAs work as one, as `.cta_group` says; 1 unless specified. */
export type CtaGroup = 1 | 2;

/** Where a copy writes and counts its bytes, and what `run` copies. */
export const COPY_TARGET = optionTable({
  ...CTA_TARGETS.values,
  /** With 2, the bytes count on the barrier of the even CTA of each pair that is reached (U06). */
  ctaGroup: option.checkedLater<CtaGroup>(),
  /** The real copy, which `run` alone executes when it completes. */
  work: option.callable<Work>(),
});

export const COPY = optionTable({
  ...COPY_TARGET.values,
  /** The buffers that are written when the copy completes. */
  into: buffers,
  /** The buffers that it reads: a copy with these and without a barrier is a store (G02). */
  reads: buffers,
  /** The tensor map that it reads, a buffer in the space `tensormap` (V01). */
  map: declared<Buffer>('buffer'),
  /** Whether it closes a group of its own, for {@link waitGroup}. */
  group: option.flag,
  /** The strand that issues it. */
  by: BY_STRANDS.values.by,
  /** The barrier that counts the bytes. */
  bar: declared<Barrier>('barrier'),
  /** The bytes that are counted; 0 unless specified. */
  bytes: count,
  /** A cell that the copy writes `value` to, in every CTA that it reaches. */
  cell: declared<Cell>('cell'),
  /** The value for `cell`; 0 unless specified. */
  value: count,
});

/** Options of {@link asyncCopy}. */
export interface CopyOptions extends OptionsOf<typeof COPY> {}

/** What work takes that is issued for the tiles of a pipeline. */
export const TILE_WORK = optionTable({
  ...CTA_TARGETS.values,
  /** How many cycles the unit works on it; only `simulate` uses it. */
  cycles: count,
});

export const USE = optionTable({
  ...TILE_WORK.values,
  /** Buffers that it reads. */
  reads: buffers,
  /** Buffers that it writes. */
  writes: buffers,
  /** Whether it closes a group of its own, for {@link waitGroup}. */
  group: option.flag,
  /** The strands that issue it. */
  by: BY_STRANDS.values.by,
  /** The real work, which `run` alone executes. */
  work: option.callable<Work>(),
});

/** Options of {@link asyncUse}. Buffers are those of every CTA that the work reaches (U07). */
export interface UseOptions extends OptionsOf<typeof USE> {}

export const SIGNAL = optionTable({ ...CTA_TARGETS.values, ...BY_STRANDS.values });
/** Options of {@link commit} and of operations on bytes. */
export interface SignalOptions extends OptionsOf<typeof SIGNAL> {}

export const GROUP = optionTable({
  ...BY_STRANDS.values,
  /** Whether to wait for what the groups read alone, and not for what they write (G02). */
  read: option.flag,
});

/** Options of {@link waitGroup}. */
export interface GroupOptions extends OptionsOf<typeof GROUP> {}

export const SIGNAL_WHEN_DONE = optionTable({
  ...BY_STRANDS.values,
  /** Whether the arrival is one of those that the barrier counts; else it is added (U08). */
  noInc: option.flag,
});

/** Options of {@link signalWhenDone}. */
export interface SignalWhenDoneOptions extends OptionsOf<typeof SIGNAL_WHEN_DONE> {}

export const ACCESS = optionTable({
  ...BY_STRANDS.values,
  /** The CTA whose buffer it is; the role's own unless specified. */
  cta: count,
});

/** Options of {@link read} and {@link write}. */
export interface AccessOptions extends OptionsOf<typeof ACCESS> {}

export const FENCE = optionTable({
  ...BY_STRANDS.values,
  /** The memory that it is about: all unless specified. */
  space: option.oneOf('shared', 'global'),
  /** The threads that it orders memory for. */
  scope,
  /** Of `proxy.tensormap`: whether it releases what was written to maps, or acquires it. */
  direction: option.oneOf('release', 'acquire'),
  /** The tensor map that an acquire is about. */
  map: declared<Buffer>('buffer'),
});

/** Options of {@link fence}. */
export interface FenceOptions extends OptionsOf<typeof FENCE> {}

export const NAMED = optionTable({
  /** How many threads of the role arrive: all by default. A warp that comes alone brings 32. */
  lanes: count,
  /** The strands that come. */
  by: BY_STRANDS.values.by,
  /** Whether all lanes of a warp have to execute it together, as `bar.sync` demands (N04). */
  aligned: option.flag,
});

/** Which threads of a role arrive at a named barrier. */
export interface NamedOptions extends OptionsOf<typeof NAMED> {}
