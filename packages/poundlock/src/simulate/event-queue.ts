// The future: events in order of time, and of arrival where times are equal, so that runs repeat.

/** The most events that may wait at one time (bound `event-queue`): one per role and flight. */
export const MAX_WAITING = 1 << 20;

/** A binary heap on typed arrays. An event is one integer; its owner knows what it means. */
export class EventQueue {
  #times = new Float64Array(64);
  #order = new Float64Array(64);
  #events = new Int32Array(64);
  #inserted = 0;
  size = 0;
  /** The time of the event that {@link pop} took last. */
  now = 0;

  /** The time of the next event; infinity when there is none. */
  get nextTime(): number {
    return this.size === 0 ? Infinity : this.#times[0]!;
  }

  push(time: number, event: number): void {
    if (this.size === this.#times.length) this.#grow();
    const times = this.#times;
    const order = this.#order;
    const events = this.#events;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (times[parent]! <= time) break;
      times[at] = times[parent]!;
      order[at] = order[parent]!;
      events[at] = events[parent]!;
      at = parent;
    }
    times[at] = time;
    order[at] = this.#inserted++;
    events[at] = event;
  }

  /** Takes the next event out; there must be one. */
  pop(): number {
    const times = this.#times;
    const order = this.#order;
    const events = this.#events;
    const event = events[0]!;
    this.now = times[0]!;
    const last = --this.size;
    const time = times[last]!;
    const place = order[last]!;
    const moved = events[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (right < last && isBefore(times, order, right, child)) child = right;
      if (times[child]! > time || (times[child] === time && order[child]! > place)) break;
      times[at] = times[child]!;
      order[at] = order[child]!;
      events[at] = events[child]!;
      at = child;
    }
    times[at] = time;
    order[at] = place;
    events[at] = moved;
    return event;
  }

  #grow(): void {
    const length = this.#times.length * 2;
    if (length > MAX_WAITING) throw new RangeError('event-queue: too many events wait');
    const grown = <A extends Float64Array | Int32Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#times = grown(new Float64Array(length), this.#times);
    this.#order = grown(new Float64Array(length), this.#order);
    this.#events = grown(new Int32Array(length), this.#events);
  }
}

function isBefore(times: Float64Array, order: Float64Array, a: number, b: number): boolean {
  return times[a]! < times[b]! || (times[a] === times[b] && order[a]! < order[b]!);
}
