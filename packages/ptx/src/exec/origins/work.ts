// How much may be computed to compare the clusters of a grid.

/** So much is computed before the clock is looked at again. */
const AT_ONCE = 1_000_000;

/** Counts what is computed: more than a bound, or than there is time for, is too much. */
export class Work {
  readonly #isLate: () => boolean;
  #left: number;
  #since = 0;

  constructor(most: number, isLate: () => boolean = () => false) {
    this.#left = most;
    this.#isLate = isLate;
  }

  /** Whether so much more may be computed. */
  takes(amount: number): boolean {
    this.#left -= amount;
    this.#since += amount;
    if (this.#since > AT_ONCE) {
      this.#since = 0;
      if (this.#isLate()) this.#left = -1;
    }
    return this.#left >= 0;
  }

  /** Takes so much where that is not most of what is left. */
  mayTake(amount: number): boolean {
    return amount < this.#left / 4 && this.takes(amount);
  }

  get isOver(): boolean {
    return this.#left < 0;
  }
}
