// The options of operations: where they reach, and what they read, write and count.
import type { Barrier, Buffer, Cell } from './declare.ts';
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

/** Options of {@link arrive}. */
export interface ArriveOptions extends CtaTargets {
  /** How many arrivals the operation counts as; 1 unless specified. */
  readonly count?: number;
  /** Bytes to expect in the same operation (`mbarrier.arrive.expect_tx`); 0 unless specified. */
  readonly bytes?: number;
  /** Whether every thread of the role arrives instead of one elected thread. */
  readonly everyLane?: boolean;
}

/** How many neighboring CTAs work as one, as `.cta_group` says; 1 unless specified. */
export type CtaGroup = 1 | 2;

/** Options of {@link asyncCopy}. */
export interface CopyOptions extends CtaTargets {
  /** The buffers that are written when the copy completes. */
  readonly into: readonly Buffer[];
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
  /** How many cycles the unit works on it; only `simulate` uses it. */
  readonly cycles?: number;
  /** The real work, which `run` alone executes. */
  readonly work?: Work;
}
