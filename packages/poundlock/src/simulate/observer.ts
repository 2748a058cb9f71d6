// Events of a simulation. Without an observer, a simulation records nothing.
import type { Flight, Instruction } from '@poundlock/core/internal/machine';
import type { StepId } from '@poundlock/core/internal/program';

/** An operation of a role. The object is reused: copy what is needed. Times are in cycles. */
export interface Performed {
  role: number;
  /** Its step of the program; −1 if the role is driven by its generator. */
  step: StepId;
  instruction: Instruction;
  /** When the role reached it, when it took effect, and when the role continues. */
  reached: number;
  time: number;
  end: number;
  /** How long the role waited, and for which barrier; −1 for none. */
  stall: number;
  barrier: number;
}

export interface Observer {
  started(role: number, time: number): void;
  performed(operation: Readonly<Performed>): void;
  computed(role: number, step: StepId, from: number, to: number): void;
  ended(role: number, time: number): void;
  /** An asynchronous operation was issued and will complete at `completion`. */
  flightIssued(flight: Flight, time: number, completion: number): void;
  flightCompleted(flight: Flight, time: number): void;
  /** A phase of a barrier completed: by an operation of `role`, or by a flight if −1. */
  phaseCompleted(barrier: number, time: number, role: number): void;
}
