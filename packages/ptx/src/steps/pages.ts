// Places of global memory in a run: pages are numbered as they are touched, so that their bytes
// have small numbers like those of shared memory.
import { SHARED_WINDOW } from '../launch/windows.ts';
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

/** The first generic address of shared memory, whose places are its low halves. */
const SHARED = SHARED_WINDOW * 2 ** 32;

/** Whether a generic address is one of shared memory. */
export function isShared(address: number): boolean {
  return address >= SHARED && address < SHARED + 2 ** 32;
}

/** The generic address of a place of shared memory. */
export function sharedAddress(place: number): number {
  return SHARED + place;
}

/** The address of a place; the pages are in the order of their numbers. */
export function addressOf(pages: readonly number[], place: number): number {
  if (place < GLOBAL) return sharedAddress(place);
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
    if (isShared(address)) return address - SHARED;
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
