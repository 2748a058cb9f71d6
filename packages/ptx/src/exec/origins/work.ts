// How much may be computed to compare the clusters of a grid.

/** Counts what is computed; more than a bound is too much. */
export class Work {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether so much more may be computed. */
  takes(amount: number): boolean {
    this.#left -= amount;
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
