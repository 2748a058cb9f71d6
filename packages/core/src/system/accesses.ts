// Races: two agents whose next access is to one buffer, at least one of them writing (S02).
import { MAX_FLIGHTS, MAX_UNITS } from '../machine/index.ts';
import { isAccess } from '../op/index.ts';
import type { System } from './system.ts';

export interface Conflict {
  /** Agents: roles, then units. */
  readonly agent: number;
  readonly other: number;
  readonly buffer: number;
}

const NO_AGENT = -1;

/** Finds conflicting accesses that are both next in a state. Allocates only when there are some. */
export class Accesses {
  readonly #system: System;
  readonly #stamp: Int32Array;
  /** By buffer: the agent that writes, and two different readers if there are two. */
  readonly #writer: Int32Array;
  readonly #reader: Int32Array;
  readonly #second: Int32Array;
  /** By accessor (each role and each flight is one): the agent that is named. */
  readonly #agents: number[] = [];
  /** Set by a move that brought a new access to be next: only then can there be a new conflict. */
  mayConflict = false;
  // Accesses of asynchronous work are its flight's; `free` has none: see use after free (A02).
  /** By step and by flight: the buffers it reads, and those it writes, as sets of hashes. */
  readonly #stepReads: number[] = [];
  readonly #stepWrites: number[] = [];
  readonly #flightReads: number[] = [];
  readonly #flightWrites: number[] = [];
  readonly #completable = new Int32Array(MAX_FLIGHTS);
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
    return this.#mayMeet(words) ? this.#search(words) : null;
  }

  /** Whether two accesses that are next have a buffer in common, or hashes of buffers. */
  #mayMeet(words: Int32Array): boolean {
    const { machine, roles } = this.#system;
    let reads = 0;
    let writes = 0;
    let met = 0;
    for (let role = 0; role < roles; role++) {
      const step = words[role]!;
      if (step < 0) continue;
      if (step >= this.#stepReads.length) this.#learnSteps(step);
      const [read, written] = [this.#stepReads[step]!, this.#stepWrites[step]!];
      met |= (written & (reads | writes)) | (read & writes);
      reads |= read;
      writes |= written;
    }
    const open = machine.openFlights;
    if (open.count(words) === 0) return met !== 0;
    if (machine.flights.flights.length > this.#flightReads.length) this.#learnFlights();
    const completable = this.#completable;
    const end = open.listCompletable(words, completable, 0);
    for (let i = 0; i < end; i++) {
      const flight = open.idAt(words, completable[i]!);
      const read = this.#flightReads[flight]!;
      const written = this.#flightWrites[flight]!;
      met |= (written & (reads | writes)) | (read & writes);
      reads |= read;
      writes |= written;
    }
    return met !== 0;
  }

  #learnSteps(step: number): void {
    for (let next = this.#stepReads.length; next <= step; next++) {
      const instruction = this.#system.instruction(next);
      const hasAccess = instruction !== null && isAccess(instruction.kind);
      this.#stepReads.push(hasAccess ? hashes(instruction.reads) : 0);
      this.#stepWrites.push(hasAccess ? hashes(instruction.writes) : 0);
    }
  }

  #learnFlights(): void {
    const { flights } = this.#system.machine.flights;
    for (let next = this.#flightReads.length; next < flights.length; next++) {
      this.#flightReads.push(hashes(flights[next]!.reads));
      this.#flightWrites.push(hashes(flights[next]!.writes));
    }
  }

  #search(words: Int32Array): Conflict | null {
    const { machine, roles } = this.#system;
    this.#now = (this.#now + 1) | 0;
    this.#found = null;
    for (let role = 0; role < roles; role++) {
      const step = words[role]!;
      const instruction = step < 0 ? null : this.#system.instruction(step);
      if (instruction === null || !isAccess(instruction.kind)) continue;
      this.#agents[role] = role;
      this.#visit(role, instruction.reads, instruction.writes);
    }
    const open = machine.openFlights;
    for (let index = 0; index < open.count(words); index++) {
      const flight = open.flightAt(words, index);
      if (flight.reads.length + flight.writes.length === 0) continue;
      if (!open.canComplete(words, index)) continue;
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
      if (this.#reader[buffer] === NO_AGENT) this.#reader[buffer] = accessor;
      else if (this.#reader[buffer] !== accessor) this.#second[buffer] = accessor;
    }
  }

  #refresh(buffer: number): void {
    if (this.#stamp[buffer] === this.#now) return;
    this.#stamp[buffer] = this.#now;
    this.#writer[buffer] = NO_AGENT;
    this.#reader[buffer] = NO_AGENT;
    this.#second[buffer] = NO_AGENT;
  }

  #meet(accessor: number, rival: number, buffer: number): void {
    if (rival === NO_AGENT || rival === accessor) return;
    this.#found ??= { agent: this.#agents[accessor]!, other: this.#agents[rival]!, buffer };
  }
}

/** A set of buffers in 32 bits. Different buffers may have one bit. */
function hashes(buffers: readonly number[]): number {
  let set = 0;
  for (const buffer of buffers) set |= 1 << (buffer & 31);
  return set;
}
