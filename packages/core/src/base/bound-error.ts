// A named bound was reached: the answer is inconclusive, never a success.

/** Every bound that a message names; the glossary has an entry for each. */
export const BOUND_NAMES = [
  'cell',
  'choice-points',
  'flight-kinds',
  'job-limit',
  'keys',
  'live-events',
  'max-answers',
  'max-events',
  'max-flights',
  'max-states',
  'max-steps',
  'memory',
  'moves',
  'register-cuts',
  'replayed',
  'search-time',
  'silent',
  'standings',
  'steps',
  'store',
  'straight',
  'timeout',
] as const;
/** One of the bounds that a message names. */
export type BoundName = (typeof BOUND_NAMES)[number];

/** Thrown when a bound of an engine is hit. */
export class BoundError extends Error {
  override readonly name = 'BoundError';
  readonly bound: BoundName;
  readonly limit: number;

  constructor(bound: BoundName, limit: number, what: string) {
    super(`${what}: the bound ${bound} is ${limit}`);
    this.bound = bound;
    this.limit = limit;
  }
}
