// Short lists of events (thread, number), as the conditions compare them with clocks.
import type { Clocks } from './clocks.ts';

/** Events in the order in which they came. */
export class Events {
  #items = new Int32Array(8);
  #length = 0;

  get length(): number {
    return this.#length >> 1;
  }

  clear(): void {
    this.#length = 0;
  }

  push(thread: number, index: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(this.#items.length * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length++] = thread;
    this.#items[this.#length++] = index;
  }

  /** Adds an event, or moves the one of the same thread on: its later event implies the earlier. */
  put(thread: number, index: number): void {
    for (let at = 0; at < this.#length; at += 2) {
      if (this.#items[at] !== thread) continue;
      this.#items[at + 1] = index;
      return;
    }
    this.push(thread, index);
  }

  /** Whether all events come before what a row of the clocks stands for. */
  allKnown(clocks: Clocks, row: number): boolean {
    const { data, stride } = clocks;
    const base = row * stride;
    for (let at = 0; at < this.#length; at += 2) {
      if (data[base + this.#items[at]!]! < this.#items[at + 1]!) return false;
    }
    return true;
  }
}
