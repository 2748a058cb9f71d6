// Races: two agents whose next access is to one buffer, at least one of them writing (S02).
import { canLand, MAX_UNITS } from '../machine/index.ts';
import { OpKind } from '../op/index.ts';
import type { System } from './system.ts';

export interface Conflict {
  /** Agents: roles, then units. */
  readonly agent: number;
  readonly other: number;
  readonly buffer: number;
}

const NOBODY = -1;

/** Finds conflicting accesses that are both next in a state. Allocates only when there are some. */
export class Accesses {
  readonly #system: System;
  readonly #stamp: Int32Array;
  /** By buffer: who writes, and two different readers if there are two. */
  readonly #writer: Int32Array;
  readonly #reader: Int32Array;
  readonly #second: Int32Array;
  /** By accessor (each role and each flight is one): the agent that is named. */
  readonly #agents: number[] = [];
  /** Set by a move that brought a new access to be next: only then can there be a new conflict. */
  mayConflict = false;
  #now = 0;
  #found: Conflict | null = null;

  constructor(system: System) {
    const { buffers, ctas } = system.machine.shape;
    const make = (): Int32Array => new Int32Array(buffers * ctas);
    this.#system = system;
    this.#stamp = make();
    this.#writer = make();
    this.#reader = make();
    this.#second = make();
  }

  /** The first conflict of a state, or `null`. */
  conflict(words: Int32Array): Conflict | null {
    const { machine, steps, roles } = this.#system;
    this.#now = (this.#now + 1) | 0;
    this.#found = null;
    for (let role = 0; role < roles; role++) {
      const step = words[role]!;
      const instruction = step < 0 ? null : steps.instruction(step);
      // An asynchronous operation's accesses are its flight's, not its issuer's; `free` is none:
      // what comes after it is a use after free (A02).
      if (instruction === null || instruction.flights.length > 0) continue;
      if (instruction.kind === OpKind.free) continue;
      this.#agents[role] = role;
      this.#visit(role, instruction.reads, instruction.writes);
    }
    const at = machine.layout.flights;
    for (let index = 0; index < words[at]!; index++) {
      const flight = machine.flights.flights[words[at + 1 + index]!]!;
      if (flight.reads.length + flight.writes.length === 0) continue;
      if (!canLand(machine.flights, words, at, index)) continue;
      const accessor = roles + MAX_UNITS + index;
      this.#agents[accessor] = roles + flight.unit;
      this.#visit(accessor, flight.reads, flight.writes);
    }
    return this.#found;
  }

  #visit(accessor: number, reads: readonly number[], writes: readonly number[]): void {
    for (const buffer of writes) {
      this.#refresh(buffer);
      this.#meet(accessor, this.#writer[buffer]!, buffer);
      this.#meet(accessor, this.#reader[buffer]!, buffer);
      this.#meet(accessor, this.#second[buffer]!, buffer);
      this.#writer[buffer] = accessor;
    }
    for (const buffer of reads) {
      this.#refresh(buffer);
      this.#meet(accessor, this.#writer[buffer]!, buffer);
      if (this.#reader[buffer] === NOBODY) this.#reader[buffer] = accessor;
      else if (this.#reader[buffer] !== accessor) this.#second[buffer] = accessor;
    }
  }

  #refresh(buffer: number): void {
    if (this.#stamp[buffer] === this.#now) return;
    this.#stamp[buffer] = this.#now;
    this.#writer[buffer] = NOBODY;
    this.#reader[buffer] = NOBODY;
    this.#second[buffer] = NOBODY;
  }

  #meet(accessor: number, rival: number, buffer: number): void {
    if (rival === NOBODY || rival === accessor) return;
    this.#found ??= { agent: this.#agents[accessor]!, other: this.#agents[rival]!, buffer };
  }
}
