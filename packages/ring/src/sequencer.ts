// Whose turn a stage is: what an endpoint needs to know of the other side, in two ways.
import type { Wanted } from './wait.ts';

/** What became of giving stages on. `notHeld`: nothing, since the endpoint does not hold them. */
export const Given = { done: 0, poisoned: 1, notHeld: 2 } as const;
export type Given = (typeof Given)[keyof typeof Given];

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
  /** Whether a stage was taken and not given on. */
  holds: (stage: number) => boolean;
  /** Gives a stage on. */
  give: (stage: number) => Given;
  /** Gives `count` stages on, from `stage` on in their order; none where one is not held. */
  giveAll: (stage: number, count: number) => Given;
  /** Takes the newest claim back; `false` where it can not be. */
  unclaim: (stage: number) => boolean;
  /** What to wait for until all that was given has come back (R04). */
  drained: () => Iterable<Wanted>;
  /** Before this endpoint is gone: others no longer wait for it. */
  withdraw: () => void;
}
