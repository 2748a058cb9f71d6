// Cluster barriers in two halves: who waits knows what all who arrived knew (N07).
import { addRows } from './memory/rows.ts';
import type { Knowledge, SetId } from './knowledge.ts';

/** The split cluster barrier of each grid. */
export class SplitMeetings {
  readonly #know: Knowledge;
  /** By grid: what the arrivals of the open generation know, and those of the last. */
  readonly #rows: (SetId | undefined)[] = [];

  constructor(know: Knowledge) {
    this.#know = know;
  }

  /** An event of a role is its arrival. */
  arrive(grid: number, role: SetId): void {
    this.#know.event(role);
    this.#know.join(this.#of(grid), role);
  }

  /** All have arrived: who waits learns what they knew. */
  open(grid: number): void {
    const rows = this.#of(grid);
    this.#know.copy(rows + 1, rows);
    this.#know.clear(rows);
  }

  /** A role that has arrived goes on. */
  leave(grid: number, role: SetId): void {
    this.#know.join(role, this.#of(grid) + 1);
  }

  #of(grid: number): SetId {
    return (this.#rows[grid] ??= addRows(this.#know, 2));
  }
}
