// What a grid learns of the one that was launched before it (D01, D02).
import type { System } from '@poundlock/core/internal/system';
import { joined, NOTHING, type Clock, type EventLog } from './log.ts';

/** The launches and the ends of grids in a recorded run. */
export class GridLog {
  readonly #system: System;
  readonly #log: EventLog;
  /** By CTA: what was known where it launched the dependents first. */
  readonly #launches = new Map<number, Clock>();

  constructor(system: System, log: EventLog) {
    this.#system = system;
    this.#log = log;
  }

  launched(event: number, cta: number): void {
    if (!this.#launches.has(cta)) this.#launches.set(cta, this.#log.clocks[event]!);
  }

  /** D01: what comes before the first operation of a role: launches, or ends, of all CTAs. */
  begun(cta: number): Clock {
    let clock = NOTHING;
    for (const one of this.ctasBefore(cta)) {
      clock = joined(clock, this.#launches.get(one) ?? this.#endOf(one));
    }
    return clock;
  }

  /** D02: all that the roles of the grid before did. `threads` are those of its flights. */
  over(cta: number, threads: readonly number[]): Clock {
    const flights = threads.map((thread) => this.#log.known(thread));
    return [...this.ctasBefore(cta).map((one) => this.#endOf(one)), ...flights].reduce(
      joined,
      NOTHING,
    );
  }

  /** The CTAs of the grid that was launched before that of a CTA. */
  ctasBefore(cta: number): number[] {
    const { grids } = this.#system.machine.shape;
    const before = grids[grids.findIndex(({ end }) => cta < end) - 1];
    if (before === undefined) return [];
    return Array.from({ length: before.end - before.first }, (_, at) => before.first + at);
  }

  #endOf(cta: number): Clock {
    const { roles } = this.#system.program;
    const ends = roles.flatMap((role, at) => (role.cta === cta ? [this.#log.known(at)] : []));
    return ends.reduce(joined, NOTHING);
  }
}
