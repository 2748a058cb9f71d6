// The rules of the calculus that tests weaken one at a time: each must then accept a wrong program.

export const RULES = [
  'use-nothrow',
  'no-abandon',
  'no-lend',
  'view-outlives',
  'alias-lost',
  'push-copies',
  'finally-normal',
  'unknown-borrows',
  'overwrite',
  'next-on-normal',
  'loop-once',
  'drain-rest',
  'same-argument',
  'acquire-nothrow',
  'array-dropped',
  'dead-field',
  'result-gone',
  'no-interleaving',
  'parts-lost',
  'dead-element',
  'closure-twice',
  'flag-stored',
  'before-ignored',
  'keeps-ignored',
] as const;

/** A rule that is weakened, or none. */
export type Weakened = (typeof RULES)[number] | undefined;
