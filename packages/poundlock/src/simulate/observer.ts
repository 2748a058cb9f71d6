// What a simulation tells about itself as it goes; without an observer nothing is kept.
import type { Flight, Instruction } from '@poundlock/core/internal/machine';
import type { StepId } from '@poundlock/core/internal/program';

/** An operation of a role. The object is reused: take from it what is needed. Times are cycles. */
export interface Performed {
  role: number;
  /** The step of the program that it is, −1 where the role is driven in place. */
  step: StepId;
  instruction: Instruction;
  /** When the role came to it, when its effect was, and when the role goes on. */
  reached: number;
  time: number;
  end: number;
  /** How long the role had to wait, and for which barrier; −1 for none. */
  stall: number;
  barrier: number;
}

export interface Observer {
  started(role: number, time: number): void;
  performed(operation: Readonly<Performed>): void;
  computed(role: number, step: StepId, from: number, to: number): void;
  ended(role: number, time: number): void;
  /** Something asynchronous was issued and will land at `landing`. */
  flightIssued(flight: Flight, time: number, completion: number): void;
  flightCompleted(flight: Flight, time: number): void;
  /** A phase of a barrier completed, by an operation of `role` or, if −1, by a flight. */
  phaseCompleted(barrier: number, time: number, role: number): void;
}
