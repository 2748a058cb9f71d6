// The sequencer interface: in which order an endpoint claims stages and releases them.
import type { WaitTarget } from './wait.ts';

/** The result of releasing stages. `notHeld`: nothing was released; they are not held. */
export const ReleaseResult = { done: 0, poisoned: 1, notHeld: 2 } as const;
export type ReleaseResult = (typeof ReleaseResult)[keyof typeof ReleaseResult];

/** The order in which one endpoint claims stages and releases them. */
export interface Sequencer {
  /** The next stage to claim. */
  readonly stage: number;
  /** Whether that stage could be claimed now. */
  isReady: () => boolean;
  /** Reads the position that endpoints of this side share. */
  refresh: () => void;
  /** How many stages could be claimed now, from the next one on, and at most `most`. */
  readyCount: (most: number) => number;
  /** What to wait for before the claim after `ahead` further ones. The object is reused. */
  waitTarget: (ahead: number) => WaitTarget;
  /** Claims the stage that was waited for and returns it; −1 when another endpoint was faster. */
  claim: () => number;
  /** As {@link claim}, for the next `count` stages at once; they follow each other. */
  claimAll: (count: number) => number;
  /** How many stages were left by a dead thread: they are claimed first, one by one. */
  readonly inherited: number;
  /** Whether a stage was claimed and not released. */
  holds: (stage: number) => boolean;
  /** Releases a stage. */
  release: (stage: number) => ReleaseResult;
  /** Releases `count` stages in order, from `stage` on; none if one of them is not held. */
  releaseAll: (stage: number, count: number) => ReleaseResult;
  /** Undoes the newest claim; `false` where that is impossible. */
  unclaim: (stage: number) => boolean;
  /** What to wait for until every released stage has come back (R04). */
  drainTargets: () => Iterable<WaitTarget>;
  /** Removes this endpoint before it closes: others no longer wait for it. */
  withdraw: () => void;
}
