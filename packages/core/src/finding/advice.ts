// One proposal of `advise` as plain data: a change, its verdict and its predicted time.
import type { Verdict } from './result.ts';

/** One change, in words, with the verdict of `check` and the predicted time. */
export interface Proposal {
  /**
   * What is changed: all release points, one of them, how two stages overlap, the order of
   * operations, or the number of stages.
   */
  readonly kind: 'raii' | 'earlier' | 'hand-over-hand' | 'order' | 'stages';
  /** The change, as a sentence. */
  readonly change: string;
  /** The predicted time in cycles; NaN where the changed kernel deadlocks. */
  readonly totalCycles: number;
  /** The time of the unchanged kernel divided by that of the changed one. */
  readonly speedup: number;
  /** The verdict on the changed kernel. */
  readonly verdict: Verdict;
  /** The counterexample that forbids it, or why the verdict is inconclusive. */
  readonly why: string | null;
}
