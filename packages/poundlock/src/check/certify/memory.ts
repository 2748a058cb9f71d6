// Condition R: conflicting accesses to one buffer or cell are ordered by happens-before.
import type { Knowledge, SetId } from './knowledge.ts';
import type { Lack } from './run-place.ts';

/** The last write of one location and the reads since. */
export class Location {
  readonly #know: Knowledge;
  readonly #writes: SetId;
  readonly #reads: SetId;

  constructor(know: Knowledge) {
    this.#know = know;
    this.#writes = know.addList();
    this.#reads = know.addList();
  }

  /** The last event of `row` reads; `false` if the last write is not before it. */
  read(row: SetId): boolean {
    return this.#know.knowsAndPuts(row, this.#writes, this.#reads);
  }

  /** The last event of `row` writes; `false` if an access is not before it. */
  write(row: SetId): boolean {
    const know = this.#know;
    if (!know.knows(row, this.#writes) || !know.knows(row, this.#reads)) return false;
    know.clear(this.#reads);
    know.put(this.#writes, row);
    return true;
  }

  /** The accesses that `row` does not know. */
  lackOf(row: SetId): Lack {
    const isOfWrites = !this.#know.knows(row, this.#writes);
    return { row, list: isOfWrites ? this.#writes : this.#reads };
  }

  /** Whether every access comes before where `row` stands: older ones are known through these. */
  isLeftBefore(row: SetId): boolean {
    return this.#know.knows(row, this.#writes) && this.#know.knows(row, this.#reads);
  }
}
