// The cache of an SM for global memory: lines of 128 bytes, the least recently used one goes first.

/** Lines with the sectors that are there. */
export class SectorCache {
  readonly #lines = new Map<number, number>();
  readonly #most: number;

  constructor(lines: number) {
    this.#most = Math.max(1, Math.floor(lines));
  }

  /** Loads sectors of a line, a bit for each; returns those that were not there. */
  load(line: number, sectors: number): number {
    const there = this.#lines.get(line) ?? 0;
    this.#lines.delete(line);
    this.#lines.set(line, there | sectors);
    if (this.#lines.size > this.#most) {
      const [oldest] = this.#lines.keys();
      this.#lines.delete(oldest!);
    }
    return sectors & ~there;
  }
}
