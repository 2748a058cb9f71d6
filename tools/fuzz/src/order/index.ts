// Random programs about the order of operations, and searches that share no code with the engines.
export { checkAsUsersDo } from './as-users-do.ts';
export { capturedProgram } from './captured-program.ts';
export { lookAtCaptured } from './captured-truth.ts';
export { compare, lengthOf, MAX_DULL_STATES } from './compare.ts';
export { blocks, everyStatement, toKernel, withBlocks } from './dull-program.ts';
export type { Body, DullProgram, Mode, Statement } from './dull-program.ts';
export { dullSearch } from './dull-search.ts';
export type { DullResult } from './dull-search.ts';
export { counting, lookAtEvery } from './every-number.ts';
export { ORDER_KINDS } from './kinds.ts';
export { minimize } from './minimize.ts';
export { kindsOf, randomProgram, rightProgram, symmetricProgram } from './random-program.ts';
export { symptomOf } from './symptom-of.ts';
