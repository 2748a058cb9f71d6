// The state of one role during a simulation: its current step, its times, whether it waits.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Price } from './prices.ts';
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

/**
 * One role of a run. Times are in cycles; they begin as no numbers, so that V8 keeps them as
 * doubles, which can be written without an allocation.
 */
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
  /** The try that has just failed, and how often in a row. */
  failedTry: Instruction | null = null;
  misses = 0;
  /** While parked: the barrier that it waits for; −1 if it waits for anything else. */
  waitBarrier = -1;
  /** After an arrival at another CTA: its own CTA, whose copies may hold it; else −1. */
  heldIn = -1;
  /** When its operation takes effect. */
  at = NaN;
  /** When it reached its operation. */
  reachedAt = NaN;
  /** For a wait: when it polled first. */
  firstPoll = NaN;
  /** When the values of its loads are there. */
  loaded = NaN;
  /** The price of its last operation that took time. */
  last: Price;

  constructor(role: number, source: StepSource, style: number, last: Price) {
    this.role = role;
    this.source = source;
    this.style = style;
    this.last = last;
  }
}
