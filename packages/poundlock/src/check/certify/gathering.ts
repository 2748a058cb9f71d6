// Named and cluster barriers in a certificate: who arrives must belong to one generation (M).
import type { Condition } from './barrier-history.ts';
import type { Clocks } from './clocks.ts';
import { Events } from './events.ts';

interface Generation {
  current: Events;
  previous: Events;
  /** The row that knows all arrivals of the open generation. */
  readonly open: number;
  waiting: number[];
}

/** All named barriers by key, the cluster's as −1. */
export class Gathering {
  readonly #clocks: Clocks;
  readonly #generations = new Map<number, Generation>();
  /** By role: 0 elsewhere, 1 waiting, 2 released. */
  readonly #state: Uint8Array;

  constructor(clocks: Clocks, roles: number) {
    this.#clocks = clocks;
    this.#state = new Uint8Array(roles);
  }

  isWaiting(role: number): boolean {
    return this.#state[role] === 1;
  }

  isReleased(role: number): boolean {
    return this.#state[role] === 2;
  }

  leave(role: number): void {
    this.#state[role] = 0;
  }

  /** M: all arrivals of the generation before come before this one. */
  arrive(key: number, role: number): Condition | null {
    const row = this.#clocks.threadRows[role]!;
    const generation = this.#of(key);
    if (!generation.previous.allKnown(this.#clocks, row)) return 'M';
    this.#clocks.join(generation.open, row);
    generation.current.push(role, this.#clocks.now(role));
    return null;
  }

  wait(key: number, role: number): void {
    this.#state[role] = 1;
    this.#of(key).waiting.push(role);
  }

  /** The generation is full: everybody who waits knows all arrivals, and so does the last. */
  complete(key: number, last: number, lastWaits: boolean): void {
    const generation = this.#of(key);
    for (const role of generation.waiting) {
      this.#state[role] = 2;
      this.#clocks.join(this.#clocks.threadRows[role]!, generation.open);
    }
    if (lastWaits) this.#clocks.join(this.#clocks.threadRows[last]!, generation.open);
    generation.waiting = [];
    const recycled = generation.previous;
    generation.previous = generation.current;
    generation.current = recycled;
    recycled.clear();
    this.#clocks.clear(generation.open);
  }

  #of(key: number): Generation {
    const known = this.#generations.get(key);
    if (known !== undefined) return known;
    const current = new Events();
    const made = { current, previous: new Events(), open: this.#clocks.addRow(), waiting: [] };
    this.#generations.set(key, made);
    return made;
  }
}
