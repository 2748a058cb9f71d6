// Global memory that both threads and bulk copies of the first cluster touch, one of them to write.
import type { PtxFunction } from '../../text/module.ts';

/** Bytes that are noted together. */
const GRAIN = 256;
/** The most grains: of more, nothing is said. */
const MAX_GRAINS = 2 ** 20;

const READ = 1;
const WRITTEN = 2;
const COPIED = 4;
const FILLED = 8;

/** What touches which grains of global memory. */
export class Crossing {
  /** Whether there are bulk copies at addresses that registers hold. */
  readonly isWatching: boolean;
  readonly #grains = new Map<number, number>();
  #last = -1;
  #lastBits = 0;

  constructor({ instructions }: PtxFunction) {
    this.isWatching = instructions.some(
      ({ effect }) => effect.kind === 'copy' && effect.op === 'bulk',
    );
  }

  /** A thread reads or writes a few bytes. */
  access(low: number, high: number, isWrite: boolean): void {
    this.#note(Math.floor((high * 2 ** 32 + low) / GRAIN), isWrite ? WRITTEN : READ);
  }

  /** A bulk copy reads or writes many. */
  copy(low: number, high: number, bytes: number, isWrite: boolean): void {
    const from = high * 2 ** 32 + low;
    const last = Math.floor((from + bytes - 1) / GRAIN);
    for (let grain = Math.floor(from / GRAIN); grain <= last; grain++)
      this.#note(grain, isWrite ? FILLED : COPIED);
  }

  #note(grain: number, bit: number): void {
    if (grain === this.#last && (this.#lastBits & bit) !== 0) return;
    const bits = (this.#grains.get(grain) ?? 0) | bit;
    this.#last = grain;
    this.#lastBits = bits;
    if (this.#grains.size < MAX_GRAINS) this.#grains.set(grain, bits);
  }

  /** Whether threads and copies meet. */
  get isMet(): boolean {
    return [...this.#grains.values()].some((bits) => {
      const isFilled = (bits & FILLED) !== 0 && (bits & ~FILLED) !== 0;
      return isFilled || ((bits & COPIED) !== 0 && (bits & WRITTEN) !== 0);
    });
  }
}
