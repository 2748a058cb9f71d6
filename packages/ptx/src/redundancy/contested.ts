// Which of many ranges overlap with a range of another warp, one of them written.

/** A range that a warp reads or writes. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly warp: number;
  readonly isWrite: boolean;
}

/** The furthest ends so far, of two different warps. */
class Furthest {
  #end = -Infinity;
  #warp = -1;
  #otherEnd = -Infinity;

  add(warp: number, end: number): void {
    if (warp === this.#warp) this.#end = Math.max(this.#end, end);
    else if (end > this.#end) {
      this.#otherEnd = this.#end;
      this.#end = end;
      this.#warp = warp;
    } else this.#otherEnd = Math.max(this.#otherEnd, end);
  }

  /** The furthest end of a warp that is not this one. */
  ofOthers(warp: number): number {
    return warp === this.#warp ? this.#otherEnd : this.#end;
  }
}

/** Marks intervals that one before them in the order reaches, of another warp. */
function mark(
  intervals: readonly Interval[],
  order: Int32Array,
  endOf: (interval: Interval) => number,
  startOf: (interval: Interval) => number,
  found: Uint8Array,
): void {
  const all = new Furthest();
  const written = new Furthest();
  for (const index of order) {
    const interval = intervals[index]!;
    const { warp, isWrite } = interval;
    if ((isWrite ? all : written).ofOthers(warp) > startOf(interval)) found[index] = 1;
    all.add(warp, endOf(interval));
    if (isWrite) written.add(warp, endOf(interval));
  }
}

/** 1 for each interval that overlaps with one of another warp, where one of both is a write. */
export function contested(intervals: readonly Interval[]): Uint8Array {
  const found = new Uint8Array(intervals.length);
  const order = Int32Array.from(intervals, (_, index) => index);
  order.sort((a, b) => intervals[a]!.from - intervals[b]!.from);
  // Those that begin before an interval and end in it or behind it …
  mark(
    intervals,
    order,
    ({ to }) => to,
    ({ from }) => from,
    found,
  );
  // … and those that begin in it: the same order backwards, with starts in the place of ends.
  order.reverse();
  mark(
    intervals,
    order,
    ({ from }) => -from,
    ({ to }) => -to,
    found,
  );
  return found;
}
