// A role as it runs: where it stands, and what it does there.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { StepSource } from './step-source.ts';
import type { StepNode } from './step-graph.ts';

export const ActorState = {
  notStarted: 0,
  running: 1,
  parked: 2,
  /** Its wait has ended, and it will see so at its next poll. */
  woken: 3,
  ended: 4,
} as const;
export type ActorState = (typeof ActorState)[keyof typeof ActorState];

/** One role of a run. Its times stand in arrays of the simulation. */
export class Actor {
  readonly role: number;
  readonly source: StepSource;
  /** Whether it sleeps in a wait, and does not poll. */
  readonly canSleep: boolean;
  state: ActorState = ActorState.notStarted;
  /** Whether the steps after one it knows are those that {@link StepNode} lists. */
  isSettled = false;
  /** What it stands at, once it has started. */
  node: StepNode | null = null;
  /** The try that failed just before, which is not tried again until it would succeed. */
  failedTry: Instruction | null = null;
  /** While it is parked: the barrier that it waits for, −1 when it waits for something else. */
  waitBarrier = -1;

  constructor(role: number, source: StepSource, canSleep: boolean) {
    this.role = role;
    this.source = source;
    this.canSleep = canSleep;
  }
}
