// The local memory of a warp: bytes of each lane, known or not.
import { isSame, OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import type { Stored } from '../origins/expressions.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';

/** A stored value: its bytes, its size, and whether it is known. */
interface Cell {
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
  /** How it is computed from the place of its block; missing: it is not. */
  readonly stored?: Stored;
}

/** The most cells that one warp may write. */
const MAX_CELLS = 1 << 20;

/** The most bytes of a cell. */
const MOST_BYTES = 8;

/** A byte of a known cell, as a cell. */
function byteOf({ low, high, stored }: Cell, index: number): Cell {
  const half = index < 4 ? low : high;
  const byte = { bytes: 1, low: (half >>> (8 * (index & 3))) & 255, high: 0, isKnown: true };
  return stored === undefined ? byte : { ...byte, stored: { origin: OPAQUE, lane: 0 } };
}

/** The first bytes of a value, of which up to 8 are stored. */
function firstBytes(low: number, high: number, bytes: number): Wide {
  if (bytes === MOST_BYTES) return { low, high };
  return { low: bytes < 4 ? low & (2 ** (8 * bytes) - 1) : low, high: 0 };
}

const unknown: Wide = { low: 0, high: 0 };

/** Local memory as the cells that were stored, of which reads may take parts. */
export class LocalMemory {
  #cells = new Map<number, Cell>();
  /** Whether a copy has the same cells: the first one to write makes its own. */
  #areShared = false;
  /** Identifies what is there that was not stored since. */
  #epoch: number;

  /** Whether all that was not stored is as it was at first. */
  #isFirst = true;

  /** `epoch` is a number that nothing else has. */
  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** Stores up to 8 bytes of a value at an address of a lane. */
  store(address: number, lane: number, bytes: number, value: Wide, isKnown: boolean): void {
    if (this.#cells.size > MAX_CELLS) this.forget(this.#epoch);
    const cells = this.#own();
    const own = cells.get(address * 32 + lane);
    // Cells do not overlap.
    const first = own?.bytes === bytes ? address + bytes : address - MOST_BYTES + 1;
    for (let other = first; other < address + bytes; other++) {
      const key = other * 32 + lane;
      const cell = cells.get(key);
      if (cell === undefined || other + cell.bytes <= address) continue;
      cells.delete(key);
      if (!cell.isKnown) continue;
      // What is left of a known value is known by its bytes.
      for (let index = 0; index < cell.bytes; index++) {
        const at = other + index;
        if (at < address || at >= address + bytes) cells.set(at * 32 + lane, byteOf(cell, index));
      }
    }
    const { low, high } = value;
    const cell = isKnown ? firstBytes(low, high, bytes) : { low, high };
    cells.set(address * 32 + lane, { bytes, isKnown, ...cell });
  }

  /** Says how a value that was stored is computed. */
  setOrigin(address: number, lane: number, stored: Stored): void {
    const key = address * 32 + lane;
    const cell = this.#cells.get(key);
    if (cell !== undefined) this.#own().set(key, { ...cell, stored });
    this.hasOrigins = true;
  }

  /** Whether a stored value is computed from the place of its block. */
  hasOrigins = false;

  /** How bytes are computed: `null`, not from the place of a block. */
  originAt(address: number, lane: number, bytes: number): Stored | null {
    const own = this.#cells.get(address * 32 + lane);
    if (own?.bytes === bytes) return own.stored ?? null;
    for (let at = address - MOST_BYTES + 1; at < address + bytes; at++) {
      const part = this.#cells.get(at * 32 + lane);
      if (part?.stored !== undefined && at + part.bytes > address)
        return { origin: OPAQUE, lane: 0 };
    }
    return null;
  }

  /** Makes bytes of a lane unknown, as a number that nothing else has, with an origin. */
  forgetAt(
    address: number,
    lane: number,
    bytes: number,
    epoch: number,
    originOf: ((value: Wide) => Origin) | null = null,
  ): void {
    for (let done = 0; done < bytes; done += MOST_BYTES) {
      start(unknown, epoch);
      mix(unknown, address + done, lane, 1);
      this.store(address + done, lane, Math.min(MOST_BYTES, bytes - done), unknown, false);
      if (originOf !== null)
        this.setOrigin(address + done, lane, { origin: originOf(unknown), lane });
    }
  }

  /** Reads a value into `out`; whether it is known. */
  load(address: number, lane: number, bytes: number, out: Wide): boolean {
    const cell = this.#cells.get(address * 32 + lane);
    if (cell !== undefined && cell.bytes === bytes) {
      out.low = cell.low;
      out.high = cell.high;
      return cell.isKnown;
    }
    if (this.#loadParts(address, lane, bytes, out)) return true;
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

  /** Reads a value that was stored in parts, or with others; whether all of its bytes are known. */
  #loadParts(address: number, lane: number, bytes: number, out: Wide): boolean {
    if (bytes > MOST_BYTES) return false;
    out.low = 0;
    out.high = 0;
    for (let index = 0; index < bytes; index++) {
      const byte = this.#byteAt(address + index, lane);
      if (byte < 0) return false;
      if (index < 4) out.low = (out.low | (byte << (8 * index))) >>> 0;
      else out.high = (out.high | (byte << (8 * (index - 4)))) >>> 0;
    }
    return true;
  }

  /** A byte of a lane; −1 if it is not known. */
  #byteAt(address: number, lane: number): number {
    for (let other = address; other > address - MOST_BYTES; other--) {
      const cell = this.#cells.get(other * 32 + lane);
      if (cell === undefined || other + cell.bytes <= address) continue;
      return cell.isKnown ? byteOf(cell, address - other).low : -1;
    }
    return -1;
  }

  /** Whether nothing was stored at an address of a lane, nor forgotten. */
  isUnwritten(address: number, lane: number, bytes: number): boolean {
    if (!this.#isFirst) return false;
    for (let other = address - MOST_BYTES + 1; other < address + bytes; other++) {
      const cell = this.#cells.get(other * 32 + lane);
      if (cell !== undefined && other + cell.bytes > address) return false;
    }
    return true;
  }

  /** Gives what is not known another identity, and adds all cells to a state. */
  cut(state: Wide, epoch: number, rename: (value: Wide) => void): void {
    this.#epoch = epoch;
    this.#isFirst = false;
    const cells = this.#own();
    for (const [key, cell] of cells) {
      const value = { low: cell.low, high: cell.high };
      mix(state, key, cell.bytes, 0);
      if (cell.isKnown) mix(state, value.low, value.high, 1);
      else {
        rename(value);
        cells.set(key, { ...cell, ...value });
      }
    }
  }

  /** A copy that changes by itself. */
  copy(): LocalMemory {
    const copy = new LocalMemory(this.#epoch);
    copy.#cells = this.#cells;
    copy.#areShared = this.#areShared = true;
    copy.hasOrigins = this.hasOrigins;
    copy.#isFirst = this.#isFirst;
    return copy;
  }

  /** The cells, which no copy has. */
  #own(): Map<number, Cell> {
    if (this.#areShared) this.#cells = new Map(this.#cells);
    this.#areShared = false;
    return this.#cells;
  }

  /** Whether another one has the same contents. */
  equals(other: LocalMemory): boolean {
    if (this.#cells === other.#cells) return true;
    if (this.#cells.size !== other.#cells.size) return false;
    for (const [key, { bytes, low, high, isKnown, stored }] of this.#cells) {
      const cell = other.#cells.get(key);
      if (cell === undefined || cell.bytes !== bytes || cell.isKnown !== isKnown) return false;
      if (cell.low !== low || cell.high !== high) return false;
      if (!isSame(stored?.origin ?? null, cell.stored?.origin ?? null)) return false;
    }
    return true;
  }

  /** What differs in another one: by address and lane (`address * 32 + lane`), how many bytes. */
  differences(other: LocalMemory): Map<number, number> {
    const found = new Map<number, number>();
    for (const [one, two] of [
      [this, other],
      [other, this],
    ] as const)
      for (const [key, { bytes, low, high, isKnown }] of one.#cells) {
        const cell = two.#cells.get(key);
        const isSame =
          cell?.bytes === bytes &&
          cell.isKnown === isKnown &&
          cell.low === low &&
          cell.high === high;
        if (!isSame) found.set(key, Math.max(bytes, found.get(key) ?? 0));
      }
    return found;
  }

  /** Makes everything unknown; `epoch` is a number that nothing else has. */
  forget(epoch: number): void {
    this.#epoch = epoch;
    this.#isFirst = false;
    this.#cells = new Map();
    this.#areShared = false;
  }
}
