// Columns of tensor memory: which are allocated in each CTA.

/** Columns of a CTA. */
export const COLUMNS = 512;
const LEAST = 32;

/** Whether an allocation may ask for so many columns: a power of two. */
export function isSize(columns: number): boolean {
  return columns >= LEAST && (columns & (columns - 1)) === 0;
}

/** An allocation that has not been freed. */
interface Allocation {
  readonly columns: number;
  /** The instruction that made it. */
  readonly at: number;
}

/** Columns that a warp has freed. */
interface Freed {
  readonly rank: number;
  readonly column: number;
  readonly columns: number;
  readonly warp: number;
}

/** The tensor memory of a cluster. */
export class TensorColumns {
  readonly #ctas: readonly Map<number, Allocation>[];
  readonly #freed: Freed[] = [];

  constructor(ctas: number) {
    this.#ctas = Array.from({ length: ctas }, () => new Map());
  }

  /** CTAs that have given up the right to allocate. */
  readonly relinquished = new Set<number>();

  /** Columns that are allocated in a CTA. */
  taken(rank: number): number {
    return [...this.#ctas[rank]!.values()].reduce((sum, { columns }) => sum + columns, 0);
  }

  /** How many of some columns are allocated. */
  allocated(rank: number, first: number, count: number): number {
    let sum = 0;
    for (const [column, { columns }] of this.#ctas[rank]!) {
      const end = Math.min(first + count, column + columns);
      sum += Math.max(0, end - Math.max(first, column));
    }
    return sum;
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

  /** Whether some columns have been freed by another warp: their next owner is another at times. */
  wasOfOther(rank: number, column: number, columns: number, warp: number): boolean {
    return this.#freed.some((freed) => {
      const isSame = freed.rank === rank && freed.warp !== warp;
      return isSame && column < freed.column + freed.columns && freed.column < column + columns;
    });
  }

  /** Frees an allocation; whether there is one with these columns. */
  free(rank: number, column: number, columns: number, warp: number): boolean {
    const allocation = this.#ctas[rank]!.get(column);
    if (allocation?.columns !== columns) return false;
    this.#freed.push({ rank, column, columns, warp });
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
