// The options of operations: where they reach, and what they read, write and count.
import type { Barrier, Cell } from './declare.ts';
import type { Buffer } from './declared-buffer.ts';
import type { Scope } from '../op/index.ts';
import type { By, ByStrands } from './strands.ts';
import type { Work } from './work.ts';

/**
 * The CTAs that an operation reaches: one, several (multicast), or the role's own if neither is
 * specified.
 */
export interface CtaTargets {
  /** One CTA, by its number in the cluster. */
  readonly cta?: number;
  /** Several CTAs. */
  readonly ctas?: readonly number[];
}

/** How an arrival orders memory (S11): unless specified, for all threads and in full. */
export interface ReleaseOptions {
  /** `relaxed`: it only counts, and carries no memory. */
  readonly sem?: 'release' | 'relaxed';
  /** The threads that it orders memory for. */
  readonly scope?: Scope;
}

/** How a wait orders memory (S11): unless specified, for all threads and in full. */
export interface AcquireOptions {
  /** `relaxed`: it only blocks, and takes no memory. */
  readonly sem?: 'acquire' | 'relaxed';
  /** The threads that it orders memory for. */
  readonly scope?: Scope;
}

/** Options of waits and of tries. */
export interface WaitOptions extends AcquireOptions, ByStrands {}

/** Options of {@link arrive}. */
export interface ArriveOptions extends CtaTargets, ReleaseOptions {
  /**
   * The strands that arrive: one that is elected after all have come, unless specified; `each`:
   * every thread of the role.
   */
  readonly by?: By | 'each';
  /** How many arrivals the operation counts as; 1 unless specified. */
  readonly count?: number;
  /** Bytes to expect in the same operation (`mbarrier.arrive.expect_tx`); 0 unless specified. */
  readonly bytes?: number;
  /** Whether every thread of the role arrives instead of one elected thread. */
  readonly everyLane?: boolean;
  /** How many threads of the role arrive, as under `if (lane < n)`; 1 unless specified. */
  readonly lanes?: number;
}

/** How many neighboring CTAs work as one, as `.cta_group` says; 1 unless specified. */
export type CtaGroup = 1 | 2;

/** Options of {@link asyncCopy}. */
export interface CopyOptions extends CtaTargets {
  /** The buffers that are written when the copy completes. */
  readonly into?: readonly Buffer[];
  /** The buffers that it reads: a copy with these and without a barrier is a store (G02). */
  readonly reads?: readonly Buffer[];
  /** The tensor map that it reads, a buffer in the space `tensormap` (V01). */
  readonly map?: Buffer;
  /** Whether it closes a group of its own, for {@link waitGroup}. */
  readonly group?: boolean;
  /** The strand that issues it. */
  readonly by?: By;
  /** The barrier that counts the bytes. */
  readonly bar?: Barrier;
  /** The bytes that are counted; 0 unless specified. */
  readonly bytes?: number;
  /** A cell that the copy writes `value` to, in every CTA that it reaches. */
  readonly cell?: Cell;
  /** The value for `cell`; 0 unless specified. */
  readonly value?: number;
  /** With 2, the bytes count on the barrier of the even CTA of each pair that is reached (U06). */
  readonly ctaGroup?: CtaGroup;
  /** The real copy, which `run` alone executes when it completes. */
  readonly work?: Work;
}

/** Options of {@link asyncUse}. Buffers are those of every CTA that the work reaches (U07). */
export interface UseOptions extends CtaTargets {
  /** Buffers that it reads. */
  readonly reads?: readonly Buffer[];
  /** Buffers that it writes. */
  readonly writes?: readonly Buffer[];
  /** Whether it closes a group of its own, for {@link waitGroup}. */
  readonly group?: boolean;
  /** The strands that issue it. */
  readonly by?: By;
  /** How many cycles the unit works on it; only `simulate` uses it. */
  readonly cycles?: number;
  /** The real work, which `run` alone executes. */
  readonly work?: Work;
}

/** Options of {@link commit} and of operations on bytes. */
export interface SignalOptions extends CtaTargets, ByStrands {}

/** Options of {@link waitGroup}. */
export interface GroupOptions extends ByStrands {
  /** Whether to wait for what the groups read alone, and not for what they write (G02). */
  readonly read?: boolean;
}

/** Options of {@link signalWhenDone}. */
export interface SignalWhenDoneOptions extends ByStrands {
  /** Whether the arrival is one of those that the barrier counts; else it is added (U08). */
  readonly noInc?: boolean;
}

/** Options of {@link read} and {@link write}. */
export interface AccessOptions extends ByStrands {
  /** The CTA whose buffer it is; the role's own unless specified. */
  readonly cta?: number;
}

/** Options of {@link fence}. */
export interface FenceOptions extends ByStrands {
  /** The memory that it is about: all unless specified. */
  readonly space?: 'shared' | 'global';
  /** The threads that it orders memory for. */
  readonly scope?: Scope;
  /** Of `proxy.tensormap`: whether it releases what was written to maps, or acquires it. */
  readonly direction?: 'release' | 'acquire';
  /** The tensor map that an acquire is about. */
  readonly map?: Buffer;
}
