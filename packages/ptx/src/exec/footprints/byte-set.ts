// A set of bytes, as sorted ranges.
import type { Ranges } from '../../steps/step.ts';

/** Sorted ranges without overlaps. */
export class ByteSet {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;

  constructor(ranges: Ranges) {
    const pairs: [number, number][] = [];
    for (let index = 0; index < ranges.length; index += 2)
      pairs.push([ranges[index]!, ranges[index + 1]!]);
    pairs.sort(([one], [other]) => one - other);
    const starts: number[] = [];
    const ends: number[] = [];
    for (const [from, to] of pairs)
      if (ends.length > 0 && from <= ends.at(-1)!)
        ends[ends.length - 1] = Math.max(ends.at(-1)!, to);
      else {
        starts.push(from);
        ends.push(to);
      }
    this.#starts = Float64Array.from(starts);
    this.#ends = Float64Array.from(ends);
  }

  get isEmpty(): boolean {
    return this.#starts.length === 0;
  }

  /** The first byte, and the end of the last one. */
  get least(): number {
    return this.#starts[0] ?? Infinity;
  }

  get end(): number {
    return this.#ends.at(-1) ?? -Infinity;
  }

  /** Its ranges. */
  get ranges(): Ranges {
    return [...this.#starts].flatMap((from, index) => [from, this.#ends[index]!]);
  }

  /** Whether it has a byte of another set that lies further by a shift. */
  meetsShifted(other: ByteSet, shift: number): boolean {
    if (other.#starts.length > this.#starts.length) return other.meetsShifted(this, -shift);
    return other.#starts.some((from, index) =>
      this.meets(from + shift, other.#ends[index]! + shift),
    );
  }

  /** Whether it has a byte of a range. */
  meets(from: number, to: number): boolean {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ends[middle]! > from) high = middle;
      else low = middle + 1;
    }
    return low < this.#starts.length && this.#starts[low]! < to;
  }
}
