// The state of one role during a simulation: its current step and whether it runs or waits.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { StepSource } from './step-source.ts';
import type { StepNode } from './step-graph.ts';

export const ActorState = {
  notStarted: 0,
  running: 1,
  parked: 2,
  /** Its wait has ended; it notices at its next poll. */
  woken: 3,
  ended: 4,
} as const;
export type ActorState = (typeof ActorState)[keyof typeof ActorState];

/** One role of a run. Its times are in arrays of the simulation. */
export class Actor {
  readonly role: number;
  readonly source: StepSource;
  /** How it waits: its style by number. */
  readonly style: number;
  state: ActorState = ActorState.notStarted;
  /** Whether the successors listed in a {@link StepNode} are complete for this role. */
  isSettled = false;
  /** Its current step; `null` before it starts and after it ends. */
  node: StepNode | null = null;
  /** The try that has just failed: it is retried only when it would succeed. */
  failedTry: Instruction | null = null;
  /** While parked: the barrier that it waits for; −1 if it waits for anything else. */
  waitBarrier = -1;
  /** After an arrival at another CTA: its own CTA, whose copies may hold it; else −1. */
  heldIn = -1;

  constructor(role: number, source: StepSource, style: number) {
    this.role = role;
    this.source = source;
    this.style = style;
  }
}
