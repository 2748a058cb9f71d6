// Cells for the counts of a run: words of shared memory by which a warp knows that it is the last.
import type { ReferenceRun } from '../steps/run.ts';
import type { AccessStep } from '../steps/step.ts';
import type { PlannedCell } from './plan.ts';

/** Bytes of a word that is counted. */
const WORD_BYTES = 4;

/** The cells of a plan. */
export class CountCells {
  readonly cells: readonly PlannedCell[];
  readonly #words: readonly number[];
  readonly #cellOf: ReadonlyMap<number, number>;

  constructor({ counts, nameOf }: ReferenceRun) {
    const all = [...counts];
    this.cells = all.map(([, { word, initial }]) => ({ name: nameOf(word), initial }));
    this.#words = all.map(([, { word }]) => word);
    this.#cellOf = new Map(all.map(([count], index) => [count, index]));
  }

  /** The cell that an access adds to; `undefined` for one that no thread finds the last by. */
  of({ adds }: AccessStep): number | undefined {
    return adds === undefined ? undefined : this.#cellOf.get(adds.count);
  }

  /** Whether a write may begin a count: then it is to be ordered with all additions. */
  isBegun({ adds, writes }: AccessStep): boolean {
    if (adds !== undefined) return false;
    return this.#words.some((word) => {
      return writes.some((from, at) => {
        return at % 2 === 0 && from < word + WORD_BYTES && word < writes[at + 1]!;
      });
    });
  }
}
