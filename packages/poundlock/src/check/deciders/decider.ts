// What a decider is: one way to answer a check, or to leave it to the next one.
import type { Budget } from '../budget.ts';
import type { Outcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';

/**
 * Answers a problem within a budget, or returns `null` where a later decider can do better. An
 * outcome with a reason is final, too: nothing after it would know more.
 */
export type Decide = (problem: Problem, budget: Budget) => Promise<Outcome | null>;

/** A way to decide and the condition under which it is tried. Every `decide` is right alone. */
export interface Decider {
  readonly name: string;
  readonly when: (problem: Problem, budget: Budget) => boolean;
  readonly decide: Decide;
}
