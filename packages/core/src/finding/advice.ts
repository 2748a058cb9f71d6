// One proposal of `advise` as plain data: a change, its verdict and its predicted time.
import type { Verdict } from './result.ts';

/** One change, in words, with the verdict of `check` and the predicted time. */
export interface Proposal {
  readonly kind: 'raii' | 'earlier' | 'hand-over-hand' | 'order' | 'stages';
  readonly change: string;
  /** NaN where the changed program deadlocks. */
  readonly totalCycles: number;
  /** How many times faster the program would be. */
  readonly speedup: number;
  readonly verdict: Verdict;
  /** The counterexample that forbids it, or why the verdict is inconclusive. */
  readonly why: string | null;
}
