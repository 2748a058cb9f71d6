// What the L2 still has of lines that an SM loads again, while all SMs load and store as much.
import { RecentLines } from './recent-lines.ts';
import { BITS, SECTOR_BYTES } from './working-set.ts';

/**
 * Bytes that are loaded between two loads of a line, as shares of what stores leave of the L2: up
 * to the first it is still there, from the second on it is not (bench/h200/reuse.csv).
 */
const HELD = 0.3;
const LOST = 1.1;

/** The lines that an SM has loaded through the L2, with what it had loaded before the last time. */
export class Reuse {
  readonly #lines = new RecentLines();
  /** The bytes of an SM that fill the L2, where all SMs load as much. */
  readonly #full: number;
  /** What the launch touches: no more than that can be between two loads. */
  readonly #most: number;
  #loaded = 0;
  #stored = 0;

  constructor(l2Bytes: number, sms: number, touched: number) {
    this.#full = l2Bytes / sms;
    this.#most = touched / l2Bytes;
  }

  /** The SM stores so many bytes, which the L2 keeps, too. */
  store(bytes: number): void {
    this.#stored += bytes;
  }

  /** Loads sectors of a line; returns the bytes that the L2 does not have any more. */
  load(line: number, sectors: number): number {
    const lines = this.#lines;
    const place = lines.use(line);
    const known = lines.sectors[place]!;
    const at = lines.notes[place]!;
    lines.sectors[place] = known | sectors;
    lines.notes[place] = this.#loaded;
    const bytes = BITS[sectors]! * SECTOR_BYTES;
    this.#loaded += bytes;
    this.#forget();
    const again = BITS[sectors & known]! * SECTOR_BYTES;
    return again === 0 ? bytes : bytes - again * (1 - this.#lostPart(at));
  }

  #lostPart(at: number): number {
    const room = this.#loaded / (this.#loaded + this.#stored);
    const share = Math.min(this.#most, (this.#loaded - at) / this.#full) / room;
    return Math.min(1, Math.max(0, (share - HELD) / (LOST - HELD)));
  }

  #forget(): void {
    const { oldest, notes } = this.#lines;
    if (this.#loaded - notes[oldest]! >= LOST * this.#full) this.#lines.forget();
  }
}
