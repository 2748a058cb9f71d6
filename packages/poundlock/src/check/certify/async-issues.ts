// Asynchronous work in a certificate: flights complete as they are issued, and know what they must.
import {
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

/** Queues are numbered by role and unit; a program has at most so many units. */
const UNITS = 64;

/** All asynchronous work of a run. */
export class AsyncIssues {
  readonly #run: RunState;
  readonly #barriers: Barriers;
  readonly #accesses: AccessChecks;
  readonly #queues: (UnitQueue | undefined)[] = [];

  constructor(run: RunState, barriers: Barriers, accesses: AccessChecks) {
    this.#run = run;
    this.#barriers = barriers;
    this.#accesses = accesses;
  }

  /** Issues the flights of an operation, and completes them; returns how many there are. */
  issue(role: SetId, instruction: Instruction): number {
    const { flights } = instruction;
    const { traits } = this.#run.machine.flights;
    let count = 0;
    for (let i = 0; i < flights.length; i++) {
      const flight = this.#run.machine.flights.flights[flights[i]!]!;
      if (flight.kind === FlightKind.group) this.#queue(flight).closeGroup();
      else {
        this.#complete(role, flight, (traits[flights[i]!]! & USES_OWN_CTA) !== 0);
        count++;
      }
    }
    return count;
  }

  /** U04: everything but the newest groups is done, and `role` knows what it knew. */
  waitGroup(role: SetId, instruction: Instruction): void {
    const { learned } = this.#run;
    const { unit, inFlight } = instruction;
    const queue = this.#queues[role * UNITS + unit];
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

  /** Before there is work on a unit, its queues can still get room for as many groups. */
  #makeRoom(unit: number, groups: number): void {
    const { learned } = this.#run;
    if (groups <= (learned.groups[unit] ?? 0) || groups > MAX_GROUPS) return;
    if (!this.#isInUse(unit)) learned.groups[unit] = groups;
  }

  /** Whether some role has a queue on a unit. All of them have room for as many groups. */
  #isInUse(unit: number): boolean {
    return this.#queues.some((queue, key) => queue !== undefined && key % UNITS === unit);
  }

  /** Gives `role` the queues that `other` has, so that the two can change places. */
  matchQueues(role: SetId, other: SetId): void {
    for (let unit = 0; unit < UNITS; unit++) {
      const queue = this.#queues[other * UNITS + unit];
      if (queue === undefined) continue;
      const { know, learned } = this.#run;
      const groups = learned.groups[unit] ?? 0;
      this.#queues[role * UNITS + unit] ??= new UnitQueue(know, queue.isInOrder, groups);
    }
  }

  /** The rows of a role's queues, in the same order for every role that has the same queues. */
  rowsOf(role: SetId): SetId[] {
    const queues = this.#queues.slice(role * UNITS, (role + 1) * UNITS);
    return queues.flatMap((queue) => queue?.rows() ?? []);
  }

  #queue(flight: Flight): UnitQueue {
    const key = flight.role * UNITS + flight.unit;
    const known = this.#queues[key];
    if (known !== undefined) return known;
    const { know, learned } = this.#run;
    const groups = learned.groups[flight.unit] ?? 0;
    return (this.#queues[key] = new UnitQueue(know, flight.inOrder, groups));
  }

  /** U01–U03: one flight, whose row is its queue's thread or one of its own. */
  #complete(issuer: SetId, flight: Flight, usesOwnCta: boolean): void {
    const { know, words, machine, spare } = this.#run;
    const { kind, barrier, cell } = flight;
    const queue = this.#queue(flight);
    const isSignal = kind === FlightKind.signal;
    const row = !isSignal && queue.thread >= 0 ? queue.thread : spare;
    if (row === spare) know.copy(row, issuer);
    else know.join(row, issuer);
    if (isSignal) know.join(row, queue.work);
    know.event(row);
    if (usesOwnCta) this.#run.useOwn(row, flight.cta);
    this.#accesses.access(row, flight.cta, flight.reads, flight.writes);
    if (!isSignal) know.join(queue.work, row);
    if (cell >= 0) {
      this.#accesses.useCell(row, cell, false);
      words[machine.layout.cells + cell] = flight.value;
    }
    if (barrier >= 0) this.#barriers.completeFlight(row, issuer, flight);
  }
}
