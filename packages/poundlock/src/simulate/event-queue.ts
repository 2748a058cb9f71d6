// Event queue: ordered by time, FIFO among events of equal time, so that runs are reproducible.

/** The most pending events (bound `event-queue`): one for each role and flight. */
const MAX_WAITING = 1 << 20;

/**
 * Pending events, sorted with the next one last: the queue is short, and `pop` removes the last
 * entry. An event is an integer whose meaning is defined by its owner. Its time is passed in a
 * field, because passing a floating-point number may allocate, once for each of millions of events;
 * fields that begin as no whole number are doubles for V8, which are written in place.
 */
export class EventQueue {
  #times = new Float64Array(64);
  #events = new Int32Array(64);
  size = 0;
  /** When the event is due that is pushed next. */
  due = Infinity;
  /** When the next event is due, or one of a queue beside this one: {@link horizon}. */
  nextAt = Infinity;
  /** When the next event of the queues beside this one is due. */
  horizon = Infinity;
  /** The time of the event that {@link pop} returned last. */
  now = NaN;

  /** Adds an event that is due at {@link due}, after other events due at the same time. */
  push(event: number): void {
    if (this.size === this.#times.length) this.#grow();
    const times = this.#times;
    const events = this.#events;
    const { due } = this;
    let place = this.size++;
    if (due < this.nextAt) this.nextAt = due;
    while (place > 0 && times[place - 1]! <= due) {
      times[place] = times[place - 1]!;
      events[place] = events[place - 1]!;
      place--;
    }
    times[place] = due;
    events[place] = event;
  }

  /** When the next event of this queue is due; infinite if there is none. */
  get dueAt(): number {
    return this.size > 0 ? this.#times[this.size - 1]! : Infinity;
  }

  /** Removes and returns the next event. The queue must not be empty. */
  pop(): number {
    const last = --this.size;
    this.now = this.#times[last]!;
    this.nextAt = last > 0 ? Math.min(this.#times[last - 1]!, this.horizon) : this.horizon;
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
