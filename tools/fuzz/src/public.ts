// The public interface of `@poundlock/fuzz`.
/**
 * Random programs with verdicts that share no code with poundlock: what `poundlock fuzz` draws, and
 * what any other checker of kernels can be held against.
 *
 * @module @poundlock/fuzz
 */
export { asDisagreement, chunkSize, drawChunk, lookAt, lookAtKnown, runChunk } from './chunk.ts';
export type { Answers, Chunk, ChunkResult, Disagreement } from './chunk.ts';
export type { DrawnProgram, KnownPrograms } from './chunk.ts';
export type { Checker, CheckerOptions } from './checker.ts';
export { kernelOf, readDisagreement } from './disagreement.ts';
export type { NamedProgram } from './disagreement.ts';
export type { DrawnAt } from './kind.ts';
export { KIND_NAMES, kindTitle, memoryOf } from './kinds.ts';
export type { KindName } from './kinds.ts';
export { isDecided } from './looked.ts';
export type { Looked } from './looked.ts';
