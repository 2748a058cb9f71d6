// Places of global memory in a run: pages are numbered as they are touched, so that their bytes
// have small numbers like those of shared memory.
import { GLOBAL, RANK_SIZE, TENSOR_MEMORY } from './step.ts';

/** Bytes of a page. */
export const PAGE = 2 ** 16;
/** Pages that have the place of a CTA: none is where its tensor memory would be. */
const PAGES_OF_RANK = TENSOR_MEMORY / PAGE;
/** The most pages of a run. */
export const MAX_PAGES = ((2 ** 32 - GLOBAL) / RANK_SIZE) * PAGES_OF_RANK;

/** The number of the first byte of a page. */
function startOf(page: number): number {
  return GLOBAL + Math.floor(page / PAGES_OF_RANK) * RANK_SIZE + (page % PAGES_OF_RANK) * PAGE;
}

/** The address of a place; the pages are in the order of their numbers. */
export function addressOf(pages: readonly number[], place: number): number {
  const offset = place - GLOBAL;
  const page = Math.floor(offset / RANK_SIZE) * PAGES_OF_RANK;
  const within = offset % RANK_SIZE;
  return (pages[page + Math.floor(within / PAGE)] ?? 0) * PAGE + (within % PAGE);
}

/** The pages of a run. */
export class GlobalPages {
  /** The number of each page in memory, by its number in the run. */
  readonly list: number[] = [];
  readonly #starts = new Map<number, number>();

  /** The place of an address; `null` where there are too many pages. */
  place(address: number): number | null {
    const page = Math.floor(address / PAGE);
    let start = this.#starts.get(page);
    if (start === undefined) {
      if (this.list.length >= MAX_PAGES) return null;
      start = startOf(this.list.length);
      this.list.push(page);
      this.#starts.set(page, start);
    }
    return start + (address % PAGE);
  }
}
