// The local memory of a warp: bytes of each lane, known or not.
import { mix, start } from '../values/terms.ts';
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

/** The most bytes of a cell. */
const MOST_BYTES = 8;

/** Local memory as the cells that were stored; reads of other sizes are unknown. */
export class LocalMemory {
  #cells = new Map<number, Cell>();
  /** Identifies what is there that was not stored since. */
  #epoch: number;

  /** `epoch` is a number that nothing else has. */
  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** Stores a value of up to 8 bytes at an address of a lane. */
  store(address: number, lane: number, bytes: number, value: Wide, isKnown: boolean): void {
    if (this.#cells.size > MAX_CELLS) this.#cells.clear();
    for (let other = address - MOST_BYTES + 1; other < address + bytes; other++) {
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
    start(out, this.#epoch);
    mix(out, address, lane, 1);
    // What was stored in parts is another value with each of them.
    for (let other = address - MOST_BYTES + 1; other < address + bytes; other++) {
      const part = this.#cells.get(other * 32 + lane);
      if (part === undefined || other + part.bytes <= address) continue;
      mix(out, other, part.bytes, 1);
      mix(out, part.low, part.high, part.isKnown ? 1 : 0);
    }
    return false;
  }

  /** Gives what is not known another identity, and adds all cells to a state. */
  cut(state: Wide, epoch: number, rename: (value: Wide) => void): void {
    this.#epoch = epoch;
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
    const copy = new LocalMemory(this.#epoch);
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

  /** Makes everything unknown; `epoch` is a number that nothing else has. */
  forget(epoch: number): void {
    this.#epoch = epoch;
    this.#cells.clear();
  }
}
