// A role as it runs: where it stands, and what it does there.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Feed } from './step-source.ts';
import type { StepNode } from './step-graph.ts';

export const Doing = {
  nothing: 0,
  running: 1,
  parked: 2,
  /** Its wait has ended, and it will see so at its next poll. */
  woken: 3,
  ended: 4,
} as const;
export type Doing = (typeof Doing)[keyof typeof Doing];

/** One role of a run. Its times stand in arrays of the simulation. */
export class Actor {
  readonly role: number;
  readonly feed: Feed;
  /** Whether it sleeps in a wait, and does not poll. */
  readonly sleeps: boolean;
  doing: Doing = Doing.nothing;
  /** Whether the steps after one it knows are those that {@link StepNode} lists. */
  isSettled = false;
  /** What it stands at, once it has started. */
  node: StepNode | null = null;
  /** The try that failed just before, which is not tried again until it would succeed. */
  failed: Instruction | null = null;
  /** While it is parked: the barrier that it waits for, −1 when it waits for something else. */
  standsAt = -1;

  constructor(role: number, feed: Feed, canSleep: boolean) {
    this.role = role;
    this.feed = feed;
    this.sleeps = canSleep;
  }
}
