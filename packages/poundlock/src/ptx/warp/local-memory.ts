// The local memory of a warp: bytes of each lane, known or not.
import { mix } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';

/** A stored value: its bytes, its size, and whether it is known. */
interface Cell {
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
}

/** The most cells that one warp may write. */
const MAX_CELLS = 1 << 20;

/** Local memory as the cells that were stored; reads of other sizes are unknown. */
export class LocalMemory {
  #cells = new Map<number, Cell>();

  /** Stores a value of up to 8 bytes at an address of a lane. */
  store(address: number, lane: number, bytes: number, value: Wide, isKnown: boolean): void {
    if (this.#cells.size > MAX_CELLS) this.#cells.clear();
    for (let other = address - 7; other < address + bytes; other++) {
      const key = other * 32 + lane;
      const cell = this.#cells.get(key);
      if (cell !== undefined && other + cell.bytes > address) this.#cells.delete(key);
    }
    this.#cells.set(address * 32 + lane, { bytes, low: value.low, high: value.high, isKnown });
  }

  /** Reads a value into `out`; whether it is known. */
  load(address: number, lane: number, bytes: number, out: Wide): boolean {
    const cell = this.#cells.get(address * 32 + lane);
    if (cell !== undefined && cell.bytes === bytes) {
      out.low = cell.low;
      out.high = cell.high;
      return cell.isKnown;
    }
    out.low = address;
    out.high = lane;
    return false;
  }

  /** Gives each cell that is not known another identity, and adds all cells to a state. */
  cut(state: Wide, rename: (value: Wide) => void): void {
    for (const [key, cell] of this.#cells) {
      const value = { low: cell.low, high: cell.high };
      mix(state, key, cell.bytes, 0);
      if (cell.isKnown) mix(state, value.low, value.high, 1);
      else {
        rename(value);
        this.#cells.set(key, { ...cell, ...value });
      }
    }
  }

  /** A copy that changes by itself. */
  copy(): LocalMemory {
    const copy = new LocalMemory();
    copy.#cells = new Map(this.#cells);
    return copy;
  }

  /** Whether another one has the same contents. */
  equals(other: LocalMemory): boolean {
    if (this.#cells.size !== other.#cells.size) return false;
    for (const [key, { bytes, low, high, isKnown }] of this.#cells) {
      const cell = other.#cells.get(key);
      if (cell === undefined || cell.bytes !== bytes || cell.isKnown !== isKnown) return false;
      if (cell.low !== low || cell.high !== high) return false;
    }
    return true;
  }

  /** Makes everything unknown. */
  forget(): void {
    this.#cells.clear();
  }
}
