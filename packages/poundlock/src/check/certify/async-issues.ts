// Asynchronous work in a certificate: flights complete as they are issued, and know what they must.
import {
  MAX_UNITS,
  FlightKind,
  USES_OWN_CTA,
  type Flight,
  type Instruction,
} from '@poundlock/core/internal/machine';
import type { AccessChecks } from './accesses.ts';
import type { Barriers } from './barriers.ts';
import type { SetId } from './knowledge.ts';
import type { RunState } from './run-state.ts';
import { CertificateFailure } from './certificate-failure.ts';
import { MAX_GROUPS, UnitQueue } from './unit-queue.ts';

/** All asynchronous work of a run. */
export class AsyncIssues {
  readonly #run: RunState;
  readonly #barriers: Barriers;
  readonly #accesses: AccessChecks;
  readonly #queues: (UnitQueue | undefined)[] = [];
  /** By role: how many groups it is ahead of the slowest of its team. Part of the state. */
  readonly leads: Int32Array;

  constructor(run: RunState, barriers: Barriers, accesses: AccessChecks) {
    this.#run = run;
    this.leads = new Int32Array(run.program.roles.length);
    this.#barriers = barriers;
    this.#accesses = accesses;
  }

  /** Issues the flights of an operation, and completes them; returns how many there are. */
  issue(role: SetId, instruction: Instruction): number {
    const { flights, cta } = instruction;
    const { memory } = this.#run;
    if (instruction.arrivals > 0) this.#barriers.expectSignal(role, instruction);
    const { traits } = this.#run.machine.flights;
    let count = 0;
    for (let i = 0; i < flights.length; i++) {
      const flight = this.#run.machine.flights.flights[flights[i]!]!;
      if (flight.kind === FlightKind.group) {
        this.#queue(flight).closeGroup();
        this.#lead(role, instruction.team);
        memory?.closeGroup(flight);
      } else {
        memory?.issue(role, flight, flight.kind === FlightKind.signal);
        this.#run.places?.fly(i);
        this.#complete(role, flight, traits[flights[i]!]! & USES_OWN_CTA);
        this.#run.places?.fly(-1);
        count++;
      }
    }
    memory?.issued(role, cta);
    return count;
  }

  /** U04: everything but the newest groups is done, and `role` knows what it knew. */
  waitGroup(role: SetId, instruction: Instruction): boolean {
    const { unit, reading, inFlight, team } = instruction;
    // H4: the groups of a team are over when the parts of all its members are.
    const lead = this.leads[role]!;
    if (team.some((other) => this.leads[other]! < lead)) return false;
    this.#requireOwnGroups(role, unit);
    for (const owner of team.length === 0 ? [role] : team) {
      // Groups that a member has closed since are not of those that the wait is for (G02).
      const open = inFlight + this.leads[owner]! - lead;
      this.#learnGroups(role, owner, unit, open);
      if (reading >= 0) this.#learnGroups(role, owner, reading, open);
    }
    return true;
  }

  /** A role has closed one group more than the slowest of its team. */
  #lead(role: SetId, team: readonly number[]): void {
    if (team.length === 0) return;
    this.leads[role]!++;
    if (team.some((other) => this.leads[other] === 0)) return;
    for (const other of team) this.leads[other]!--;
  }

  /** G03: groups that another strand of the role has committed are not the thread's. */
  #requireOwnGroups(role: SetId, unit: number): void {
    const { memory, program } = this.#run;
    const { part } = program.roles[role]!;
    if (memory === null || part === null || memory.hasQueue(role, unit)) return;
    const isSister = (other: number): boolean =>
      program.roles[other]!.part?.written === part.written && memory.hasQueue(other, unit);
    if (program.roles.some((_, other) => isSister(other))) memory.failGroups(unit);
  }

  #learnGroups(role: SetId, owner: SetId, unit: number, inFlight: number): void {
    this.#learnOrder(role, owner, unit, inFlight);
    this.#run.memory?.waitGroup(role, owner, unit, inFlight);
  }

  #learnOrder(role: SetId, owner: SetId, unit: number, inFlight: number): void {
    const { learned } = this.#run;
    const queue = this.#queues[owner * MAX_UNITS + unit];
    if (queue === undefined) return this.#makeRoom(unit, inFlight);
    if (queue.waitFor(role, inFlight)) return;
    if (inFlight > MAX_GROUPS) {
      throw new CertificateFailure(
        'unsupported',
        'a wait leaves more groups pending than the certificate can track',
      );
    }
    learned.groups[unit] = Math.max(learned.groups[unit] ?? 0, inFlight);
    throw new CertificateFailure(
      'again',
      'a wait leaves more groups pending than the certificate tracked',
    );
  }

  /** `role` learns of all work of another one. */
  learnAll(role: SetId, other: SetId): void {
    for (let unit = 0; unit < MAX_UNITS; unit++) {
      const queue = this.#queues[other * MAX_UNITS + unit];
      if (queue !== undefined) this.#run.know.join(role, queue.work);
    }
  }

  /** Before there is work on a unit, its queues can still get room for as many groups. */
  #makeRoom(unit: number, groups: number): void {
    const { learned } = this.#run;
    if (groups <= (learned.groups[unit] ?? 0) || groups > MAX_GROUPS) return;
    if (!this.#isInUse(unit)) learned.groups[unit] = groups;
  }

  /** Whether some role has a queue on a unit. All of them have room for as many groups. */
  #isInUse(unit: number): boolean {
    return this.#queues.some((queue, key) => queue !== undefined && key % MAX_UNITS === unit);
  }

  /** Gives `role` the queues that `other` has, so that the two can change places. */
  matchQueues(role: SetId, other: SetId): void {
    for (let unit = 0; unit < MAX_UNITS; unit++) {
      const queue = this.#queues[other * MAX_UNITS + unit];
      if (queue === undefined) continue;
      const { know, learned } = this.#run;
      const groups = learned.groups[unit] ?? 0;
      this.#queues[role * MAX_UNITS + unit] ??= new UnitQueue(know, queue.isInOrder, groups);
    }
  }

  /** The rows of a role's queues, in the same order for every role that has the same queues. */
  rowsOf(role: SetId): SetId[] {
    const queues = this.#queues.slice(role * MAX_UNITS, (role + 1) * MAX_UNITS);
    return queues.flatMap((queue) => queue?.rows() ?? []);
  }

  #queue(flight: Flight): UnitQueue {
    const key = flight.role * MAX_UNITS + flight.unit;
    const known = this.#queues[key];
    if (known !== undefined) return known;
    const { know, learned } = this.#run;
    const groups = learned.groups[flight.unit] ?? 0;
    return (this.#queues[key] = new UnitQueue(know, flight.inOrder, groups));
  }

  /** U01–U03: one flight, whose row is its queue's thread or one of its own. */
  #complete(issuer: SetId, flight: Flight, usesOfOwnCta: number): void {
    const { know, words, machine, spare } = this.#run;
    const { kind, barrier, cell } = flight;
    const queue = this.#queue(flight);
    const isSignal = kind === FlightKind.signal;
    const row = !isSignal && queue.thread >= 0 ? queue.thread : spare;
    if (row === spare) know.copy(row, issuer);
    else know.join(row, issuer);
    if (isSignal) know.join(row, queue.work);
    know.event(row);
    if (usesOfOwnCta !== 0) this.#run.useOwn(row, flight, usesOfOwnCta);
    this.#accesses.access(row, flight.cta, flight, false);
    if (!isSignal) know.join(queue.work, row);
    this.#run.memory?.landed(flight, isSignal);
    if (cell >= 0) {
      this.#accesses.useCell(row, cell, false);
      this.#run.memory?.storeTo(cell, false);
      words[machine.layout.cells + cell] = flight.value;
    }
    if (barrier >= 0) this.#barriers.completeFlight(row, issuer, flight);
  }
}
