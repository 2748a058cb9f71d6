// Condition R: conflicting accesses to one buffer are ordered by happens-before.
import type { Clocks } from './clocks.ts';
import { Events } from './events.ts';

/** The last write of one location and the reads since. */
export class Location {
  #writer = -1;
  #writtenAt = 0;
  readonly #reads = new Events();

  /** A read by `thread` as its event `index`; `false` if the last write is not before it. */
  read(clocks: Clocks, thread: number, index: number): boolean {
    const row = clocks.threadRows[thread]!;
    if (this.#writer >= 0 && !clocks.knows(row, this.#writer, this.#writtenAt)) return false;
    this.#reads.put(thread, index);
    return true;
  }

  /** A write by `thread` as its event `index`; `false` if an access is not before it. */
  write(clocks: Clocks, thread: number, index: number): boolean {
    const row = clocks.threadRows[thread]!;
    if (this.#writer >= 0 && !clocks.knows(row, this.#writer, this.#writtenAt)) return false;
    if (!this.#reads.allKnown(clocks, row)) return false;
    this.#writer = thread;
    this.#writtenAt = index;
    this.#reads.clear();
    return true;
  }
}
