// Event queue: ordered by time, FIFO among events of equal time, so that runs are reproducible.

/** The most pending events (bound `event-queue`): one for each role and flight. */
export const MAX_WAITING = 1 << 20;

/**
 * Pending events, sorted with the next one last: the queue is short, and `pop` removes the last
 * entry. An event is an integer whose meaning is defined by its owner. Times are passed as an array
 * and an index, because passing a floating-point number may allocate, once for each of millions of
 * events.
 */
export class EventQueue {
  #times = new Float64Array(64);
  #events = new Int32Array(64);
  size = 0;
  /** [0] is the time of the event that {@link pop} returned last. */
  readonly now = new Float64Array(1);

  /** When the next event is due; infinite if there is none. */
  get dueAt(): number {
    return this.size > 0 ? this.#times[this.size - 1]! : Infinity;
  }

  /** Whether an event is due at or before `times[at]`. */
  isDueBy(times: Float64Array, at: number): boolean {
    return this.size > 0 && this.#times[this.size - 1]! <= times[at]!;
  }

  /** Adds an event that is due at `times[at]`, after other events due at the same time. */
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

  /** Removes and returns the next event. The queue must not be empty. */
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
