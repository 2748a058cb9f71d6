// One run of a system as a certificate makes it, in which something is held back.
import { OpKind } from '@poundlock/core/internal/op';
import { SYNC_NONE, SYNC_RELEASED } from '@poundlock/core/internal/machine';
import type { System } from '@poundlock/core/internal/system';
import type { RunPlace } from '../certify/index.ts';
import { Driver, LAST } from './driver.ts';

/** What does not happen for now. */
export interface Hold {
  /** Whether a role that has performed so many operations makes no move. */
  isRoleHeld(role: number, performed: number): boolean;
  /** Whether a flight like this, of which so many are open, completes no more. */
  isFlightHeld(flight: number, open: number): boolean;
}

export const HOLD_NOTHING: Hold = { isRoleHeld: () => false, isFlightHeld: () => false };

/** The most moves of all runs of one construction (bound `witness-moves`). */
export const MAX_HELD_MOVES = 1_000_000;

/**
 * Runs each role in turn as far as it can go. Flights complete at once, tries fail, and the rest is
 * as a certifying run has it, so that operations are counted alike.
 */
export class HeldRun {
  readonly driver: Driver;
  /** By role: how many operations it has performed. */
  readonly performed: Int32Array;
  /** The flight that is looked for, once it is issued; −1 before. */
  flight = -1;
  readonly #system: System;
  readonly #place: RunPlace | null;

  /** `place` is one of the run whose flight is looked for. */
  constructor(system: System, place: RunPlace | null = null) {
    this.#place = place;
    this.#system = system;
    this.driver = new Driver(system);
    this.performed = new Int32Array(system.roles);
  }

  /** Runs until nothing that is not held can move, or something is wrong. */
  run(hold: Hold): void {
    for (let hasMoved = true; hasMoved && this.#isOpen;) {
      hasMoved = this.#complete(hold);
      for (let role = 0; role < this.#system.roles; role++) {
        while (this.#isOpen && !hold.isRoleHeld(role, this.performed[role]!) && this.step(role)) {
          hasMoved = true;
          this.#complete(hold);
        }
      }
    }
  }

  get #isOpen(): boolean {
    return this.driver.error === null && this.driver.path.length < MAX_HELD_MOVES;
  }

  /** Lets a role make its next move; `false` if it has to wait. */
  step(role: number): boolean {
    const { words } = this.driver;
    const instruction = this.#system.instruction(words[role]!);
    if (!this.driver.step(role, LAST)) return false;
    const isPlace = this.#place?.role === role && this.#place.at === this.performed[role];
    if (isPlace) this.flight = instruction?.flights[this.#place!.flight] ?? -1;
    const state = words[this.#system.machine.layout.sync + role]!;
    const isMeeting =
      instruction?.kind === OpKind.syncNamed || instruction?.kind === OpKind.syncCluster;
    // N01: it has come to a meeting, and goes on with its next move.
    const isHalf = isMeeting && state !== SYNC_NONE && state !== SYNC_RELEASED;
    if (!isHalf) this.performed[role]!++;
    return true;
  }

  /** Completes a flight; `false` if none like it can complete. */
  complete(flight: number): boolean {
    const { unit } = this.#system.machine.flights.flights[flight]!;
    return this.driver.complete(this.#system.roles + unit, flight);
  }

  /** Completes all flights that are not held; whether there were some. */
  #complete(hold: Hold): boolean {
    const { openFlights } = this.#system.machine;
    const { words } = this.driver;
    let hasMoved = false;
    for (let index = 0; index < openFlights.count(words) && this.#isOpen;) {
      const id = openFlights.idAt(words, index);
      const mayComplete = openFlights.canComplete(words, index);
      if (!mayComplete || hold.isFlightHeld(id, this.#countOpen(id)) || !this.complete(id)) index++;
      else {
        hasMoved = true;
        index = 0;
      }
    }
    return hasMoved;
  }

  #countOpen(flight: number): number {
    const { openFlights } = this.#system.machine;
    const { words } = this.driver;
    let open = 0;
    for (let index = 0; index < openFlights.count(words); index++)
      if (openFlights.idAt(words, index) === flight) open++;
    return open;
  }
}
