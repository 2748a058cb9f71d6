// What a simulation tells about itself as it goes; without an observer nothing is kept.
import type { Flight, Instruction } from '../machine/index.ts';

/** Times are cycles since the launch. */
export interface Observer {
  started(role: number, time: number): void;
  /**
   * A role came to an operation at `came`; its effect was at `time`, and it goes on at `end`.
   * `barrier` is what a wait tested, −1 for everything else.
   */
  performed(
    role: number,
    instruction: Instruction,
    came: number,
    time: number,
    end: number,
    barrier: number,
  ): void;
  computed(role: number, instruction: Instruction, from: number, to: number): void;
  ended(role: number, time: number): void;
  /** Something asynchronous was issued and will land at `landing`. */
  launched(flight: Flight, time: number, landing: number): void;
  landed(flight: Flight, time: number): void;
  /** Barriers that an operation or a flight has touched, with at least one phase completed. */
  completed(barriers: readonly number[], time: number, role: number): void;
}
