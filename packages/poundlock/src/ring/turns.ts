// Whose turn a stage is: what an endpoint needs to know of the other side, in two ways.
import type { Outcome } from './barrier.ts';
import type { Wanted } from './wait.ts';

/** The order in which one endpoint takes stages and gives them on. */
export interface Turns {
  /** The stage that is taken next. */
  readonly stage: number;
  /** Whether it could be taken now. */
  isReady: () => boolean;
  /** Moves to where endpoints that share their turns stand now. */
  look: () => void;
  /** What to wait for before it can be taken. Reused. */
  wanted: () => Wanted;
  /** Takes the stage that was waited for and answers it; −1 when another endpoint was faster. */
  claim: () => number;
  /** Gives `count` stages on, from `stage` on in their order. */
  give: (stage: number, count: number) => Outcome;
  /** Takes the newest claim back; `false` where it can not be. */
  unclaim: (stage: number) => boolean;
  /** What to wait for until all that was given has come back (R04). */
  drained: () => Iterable<Wanted>;
  /** Before this endpoint is gone: others no longer wait for it. */
  withdraw: () => void;
}
