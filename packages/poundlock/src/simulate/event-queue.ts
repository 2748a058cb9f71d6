// The future: events in order of time, and of arrival where times are equal, so that runs repeat.

/** The most events that may wait at one time (bound `event-queue`): one per role and flight. */
export const MAX_WAITING = 1 << 20;

/**
 * Events that wait, sorted, the next one last: they are few, and taking one out is taking the last.
 * An event is one integer; its owner knows what it means. Times stand in arrays of their owners: a
 * number that is passed to a function may cost an allocation, and there are millions.
 */
export class EventQueue {
  #times = new Float64Array(64);
  #events = new Int32Array(64);
  size = 0;
  /** At [0] the time of the event that {@link pop} took last. */
  readonly now = new Float64Array(1);

  /** Whether an event is due before the time at `times[at]`, or then. */
  isDueBy(times: Float64Array, at: number): boolean {
    return this.size > 0 && this.#times[this.size - 1]! <= times[at]!;
  }

  /** Adds an event that is due at `times[at]`, after those that are due then. */
  push(event: number, times: Float64Array, at: number): void {
    if (this.size === this.#times.length) this.#grow();
    const waiting = this.#times;
    const events = this.#events;
    const time = times[at]!;
    let place = this.size++;
    while (place > 0 && waiting[place - 1]! <= time) {
      waiting[place] = waiting[place - 1]!;
      events[place] = events[place - 1]!;
      place--;
    }
    waiting[place] = time;
    events[place] = event;
  }

  /** Takes the next event out; there must be one. */
  pop(): number {
    const last = --this.size;
    this.now[0] = this.#times[last]!;
    return this.#events[last]!;
  }

  #grow(): void {
    const length = this.#times.length * 2;
    if (length > MAX_WAITING) throw new RangeError('too many events are pending');
    const times = new Float64Array(length);
    times.set(this.#times);
    this.#times = times;
    const events = new Int32Array(length);
    events.set(this.#events);
    this.#events = events;
  }
}
