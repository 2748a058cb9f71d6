// What agents may do during a lookahead: operations and completions, in no order.
import type { Instruction } from '@poundlock/core/internal/machine';

/** Operations and completions, each with the agent that may make it. Lists are reused. */
export class Visits {
  /** A role, or the number of roles plus the list position of an open flight. */
  readonly agents: number[] = [];
  /** The operation, or `null` for a completion. */
  readonly instructions: (Instruction | null)[] = [];
  /** The flight that completes, −1 for an operation. */
  readonly flights: number[] = [];
  /** The barrier that a wait or a try tests and the phase it wants, −1 for everything else. */
  readonly barriers: number[] = [];
  readonly phases: number[] = [];
  /** Roles that may come to their end. */
  readonly ended: number[] = [];
  /** Roles that may do anything. */
  readonly wild: number[] = [];

  get length(): number {
    return this.agents.length;
  }

  clear(): void {
    this.agents.length = 0;
    this.instructions.length = 0;
    this.flights.length = 0;
    this.barriers.length = 0;
    this.phases.length = 0;
    this.ended.length = 0;
    this.wild.length = 0;
  }

  operation(instruction: Instruction): void {
    this.#add(instruction.role, instruction, -1, -1, 0);
  }

  wait(instruction: Instruction, barrier: number, phase: number): void {
    this.#add(instruction.role, instruction, -1, barrier, phase);
  }

  completion(agent: number, flight: number): void {
    this.#add(agent, null, flight, -1, 0);
  }

  #add(
    agent: number,
    instruction: Instruction | null,
    flight: number,
    barrier: number,
    phase: number,
  ): void {
    this.agents.push(agent);
    this.instructions.push(instruction);
    this.flights.push(flight);
    this.barriers.push(barrier);
    this.phases.push(phase);
  }
}
