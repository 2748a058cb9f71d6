// Warps by the time at which each can issue next.

/** A heap of numbers with times; the earliest is on top. */
export class WarpQueue {
  readonly #times: Float64Array;
  readonly #warps: Int32Array;
  size = 0;

  constructor(most: number) {
    this.#times = new Float64Array(most + 1);
    this.#warps = new Int32Array(most + 1);
  }

  /** When the first is due; infinite if there is none. */
  get dueAt(): number {
    return this.size === 0 ? Infinity : this.#times[0]!;
  }

  push(time: number, warp: number): void {
    const times = this.#times;
    const warps = this.#warps;
    let at = this.size++;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (times[up]! <= time) break;
      times[at] = times[up]!;
      warps[at] = warps[up]!;
      at = up;
    }
    times[at] = time;
    warps[at] = warp;
  }

  /** Removes and returns the first. */
  pop(): number {
    const times = this.#times;
    const warps = this.#warps;
    const first = warps[0]!;
    const time = times[--this.size]!;
    const warp = warps[this.size]!;
    let at = 0;
    for (let down = 1; down < this.size; down = 2 * at + 1) {
      if (down + 1 < this.size && times[down + 1]! < times[down]!) down++;
      if (times[down]! >= time) break;
      times[at] = times[down]!;
      warps[at] = warps[down]!;
      at = down;
    }
    times[at] = time;
    warps[at] = warp;
    return first;
  }
}
