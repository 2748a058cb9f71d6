// What the launch does not decide: the questions of a run and the answers that it is built on.
import type { Origin, Source } from '../values/origin.ts';

/** What a question is about. */
export interface Subject {
  /** Bits of `Cause`: what answers it. */
  readonly bits: number;
  readonly sources: readonly Source[];
  /** How its predicate is computed, in a lane; missing where that is not followed. */
  readonly origin?: Origin;
  readonly lane?: number;
  /** Whether the predicate guards an instruction that is executed where it is false. */
  readonly isNegated?: boolean;
  /** Whether it may be what other threads have signaled, so that not every answer comes. */
  readonly maySignal?: boolean;
  /**
   * What fails if the answer is yes: a wait that tries again and again, or one try. Missing: it is
   * a predicate.
   */
  readonly wait?: 'loop' | 'once';
  /** Whether the try can fail: its phase is not complete yet. */
  readonly mayFail?: boolean;
  /** The number of the warp that makes it. */
  readonly warp?: number;
}

/** A question that the launch does not answer: whether a predicate is true. */
export interface Question {
  /** The instruction that the predicate guards. */
  readonly at: number;
  /** How many other predicates it has asked for before. */
  readonly count: number;
  /** The answer with which its loop goes on; `null` where it is no branch of a loop. */
  readonly goesOn: boolean | null;
  readonly subject: Subject;
}

/** Answers questions that were not asked before. */
export type Answers = (question: Question) => boolean;

/** An answer that a run is built on. */
export interface Decision extends Question {
  readonly isTrue: boolean;
}
