// The public interface of `@poundlock/fuzz`.
/**
 * Random programs with verdicts that share no code with poundlock: what `npm run fuzz` draws, and
 * what any other checker of kernels can be compared with.
 *
 * @module @poundlock/fuzz
 */
export { chunkSize, drawChunk, lookAt, runChunk } from './chunk.ts';
export type { Answers, Chunk, ChunkResult, Disagreement } from './chunk.ts';
export type { DrawnProgram } from './chunk.ts';
export type { Checker, CheckerOptions } from './checker.ts';
export { kernelOf } from './disagreement.ts';
export type { NamedProgram } from './disagreement.ts';
export type { DrawnAt } from './kind.ts';
export { KIND_NAMES, memoryOf } from './kinds.ts';
export type { KindName } from './kinds.ts';
export { isDecided } from './looked.ts';
export type { Looked } from './looked.ts';
