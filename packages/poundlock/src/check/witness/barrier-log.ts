// The log of one barrier: contributions by phase, and the waits for the last phase.
import { joined, NOTHING, type Clock, type EventLog } from './log.ts';

/** Contributions and waits of a barrier by phase, as events of a log. */
export class BarrierLog {
  readonly #log: EventLog;
  /** Contributions to the open phase and to the two before it. */
  current: number[] = [];
  previous: number[] = [];
  older: number[] = [];
  /** Waits that saw the last phase complete, and expects of the open one that are no arrivals. */
  observers: number[] = [];
  expects: number[] = [];
  /** What the contributions to the open phase know, and its arrivals alone. */
  open: Clock = NOTHING;
  arrivals: Clock = NOTHING;
  /** By completed phase: what its contributions know. */
  readonly phases: Clock[] = [];

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** What is known once phase `phase` is over; of phases before the first, nothing. */
  after(phase: number): Clock {
    return this.phases[phase] ?? NOTHING;
  }

  contribute(event: number, isArrival: boolean, isExpect: boolean): void {
    const clock = this.#log.clocks[event]!;
    this.current.push(event);
    this.open = joined(this.open, clock);
    if (isArrival) this.arrivals = joined(this.arrivals, clock);
    else if (isExpect) this.expects.push(event);
  }

  complete(): void {
    this.phases.push(this.open);
    this.older = this.previous;
    this.previous = this.current;
    this.current = [];
    this.observers = [];
    this.expects = [];
    this.open = NOTHING;
    this.arrivals = NOTHING;
  }

  /** The events of `list` that `clock` does not know. */
  unknown(list: readonly number[], clock: Clock): number[] {
    return list.filter((event) => !this.#log.knows(clock, event));
  }
}
