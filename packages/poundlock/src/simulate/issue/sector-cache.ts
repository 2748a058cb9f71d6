// The cache of an SM for global memory: lines of 128 bytes, the least recently used one goes first.
import { RecentLines } from './recent-lines.ts';

/** Lines with the sectors that are there. */
export class SectorCache {
  readonly #lines = new RecentLines();
  readonly #most: number;

  constructor(lines: number) {
    this.#most = Math.max(1, Math.floor(lines));
  }

  /** Loads sectors of a line, a bit for each; returns those that were not there. */
  load(line: number, sectors: number): number {
    const lines = this.#lines;
    const place = lines.use(line);
    const there = lines.sectors[place]!;
    lines.sectors[place] = there | sectors;
    if (lines.size > this.#most) lines.forget();
    return sectors & ~there;
  }
}
