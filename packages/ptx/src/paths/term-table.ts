// Terms numbered in the order in which they are met; a predicate and its opposite share a number.
import { negate } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';

/** Entries of a new table. */
const FIRST_SIZE = 1 << 16;

/** Numbers of terms, in a hash table of integers. */
export class TermTable {
  #low = new Uint32Array(FIRST_SIZE);
  #high = new Uint32Array(FIRST_SIZE);
  /** The number of each entry, from 1; 0 for none. */
  #number = new Int32Array(FIRST_SIZE);
  /** By number: whether the opposite of what was met first is in the table. */
  readonly #isOpposite: boolean[] = [];
  #size = 0;
  readonly #opposite: Wide = { low: 0, high: 0 };

  /** How many terms there are. */
  get size(): number {
    return this.#size;
  }

  /** Twice the number of a term, from 0; one more if its opposite has that number. */
  of({ low, high }: Wide): number {
    const opposite = this.#opposite;
    opposite.low = low;
    opposite.high = high;
    negate(opposite);
    const isOpposite = opposite.low < low || (opposite.low === low && opposite.high < high);
    const before = this.#size;
    const number = isOpposite ? this.#find(opposite.low, opposite.high) : this.#find(low, high);
    if (this.#size > before) this.#isOpposite.push(isOpposite);
    return 2 * number + (isOpposite === this.#isOpposite[number] ? 0 : 1);
  }

  #find(low: number, high: number): number {
    const mask = this.#number.length - 1;
    let at = (low ^ Math.imul(high, 0x9e37_79b1)) & mask;
    for (; this.#number[at] !== 0; at = (at + 1) & mask)
      if (this.#low[at] === low && this.#high[at] === high) return this.#number[at]! - 1;
    this.#low[at] = low;
    this.#high[at] = high;
    this.#number[at] = ++this.#size;
    const number = this.#size - 1;
    if (this.#size * 2 > this.#number.length) this.#grow();
    return number;
  }

  #grow(): void {
    const [low, high, number] = [this.#low, this.#high, this.#number];
    const size = number.length * 2;
    this.#low = new Uint32Array(size);
    this.#high = new Uint32Array(size);
    this.#number = new Int32Array(size);
    for (let from = 0; from < number.length; from++) {
      if (number[from] === 0) continue;
      let at = (low[from]! ^ Math.imul(high[from]!, 0x9e37_79b1)) & (size - 1);
      while (this.#number[at] !== 0) at = (at + 1) & (size - 1);
      this.#low[at] = low[from]!;
      this.#high[at] = high[from]!;
      this.#number[at] = number[from]!;
    }
  }
}
