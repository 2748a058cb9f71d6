// What waits at a split cluster barrier learn: all that was known at the arrivals (N07).
import { SYNC_CLUSTER } from '@poundlock/core/internal/machine';
import type { System } from '@poundlock/core/internal/system';
import { BarrierLog } from './barrier-log.ts';
import { joined, NOTHING, type Clock, type EventLog } from './log.ts';

/** The arrivals at the barrier of one cluster by generation. */
export class SplitCluster {
  readonly log: BarrierLog;
  readonly #system: System;
  readonly #events: EventLog;
  readonly #roles: readonly number[];
  /** By role: the generation that it arrived in last. */
  readonly #arrivedIn = new Map<number, number>();

  /** `roles` are those of the cluster. */
  constructor(system: System, events: EventLog, roles: readonly number[]) {
    this.#system = system;
    this.#events = events;
    this.#roles = roles;
    this.log = new BarrierLog(events);
  }

  /** A role has arrived. */
  arrived(words: Int32Array, event: number, role: number): void {
    this.log.contribute(event, true, false);
    this.#arrivedIn.set(role, this.log.phases.length);
    const token = words[this.#system.machine.layout.cluster + role];
    if (token !== SYNC_CLUSTER) this.#complete(words);
  }

  /** What a role learns as it stops waiting. */
  learned(words: Int32Array, role: number): Clock {
    const generation = this.#arrivedIn.get(role) ?? -1;
    // The end of a role completed it: that is no operation.
    if (generation === this.log.phases.length) this.#complete(words);
    return this.log.after(generation);
  }

  /** Those that have ended count as arrived. */
  #complete(words: Int32Array): void {
    let ends = NOTHING;
    for (const role of this.#roles) {
      if (this.#system.hasEnded(words, role)) ends = joined(ends, this.#events.known(role));
    }
    this.log.open = joined(this.log.open, ends);
    this.log.complete();
  }
}
