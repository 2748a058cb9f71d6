// Columns of tensor memory: which are allocated in each CTA.

/** Columns of a CTA. */
const COLUMNS = 512;

/** An allocation that has not been freed. */
interface Allocation {
  readonly columns: number;
  /** The instruction that made it. */
  readonly at: number;
}

/** The tensor memory of a cluster. */
export class TensorColumns {
  readonly #ctas: readonly Map<number, Allocation>[];

  constructor(ctas: number) {
    this.#ctas = Array.from({ length: ctas }, () => new Map());
  }

  /** The first column of the lowest free range; -1 where none is long enough. */
  allocate(rank: number, columns: number, at: number): number {
    const taken = this.#ctas[rank]!;
    let first = 0;
    for (const [column, allocation] of [...taken].sort(([a], [b]) => a - b)) {
      if (first + columns <= column) break;
      first = column + allocation.columns;
    }
    if (first + columns > COLUMNS) return -1;
    taken.set(first, { columns, at });
    return first;
  }

  /** Frees an allocation; whether there is one with these columns. */
  free(rank: number, column: number, columns: number): boolean {
    const allocation = this.#ctas[rank]!.get(column);
    if (allocation?.columns !== columns) return false;
    this.#ctas[rank]!.delete(column);
    return true;
  }

  /** What is allocated, as a text. */
  get text(): string {
    return this.#ctas.map((taken) => [...taken.keys()].join(',')).join(' ');
  }

  /** Instructions whose allocations have not been freed. */
  open(): readonly number[] {
    return this.#ctas.flatMap((taken) => [...taken.values()].map(({ at }) => at));
  }
}
