// A named bound was reached: the answer is inconclusive, never a success.

/** Thrown when a bound of an engine is hit; `bound` is the option that raises it. */
export class BoundError extends Error {
  override readonly name = 'BoundError';
  readonly bound: string;
  readonly limit: number;

  constructor(bound: string, limit: number, what: string) {
    super(`${what}: the bound ${bound} is ${limit}`);
    this.bound = bound;
    this.limit = limit;
  }
}
