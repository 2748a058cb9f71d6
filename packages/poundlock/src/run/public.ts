// The public interface of `poundlock/run`: kernels on worker threads of Node.
/**
 * Runs a kernel on worker threads and checks the recorded trace against the model.
 *
 * @module poundlock/run
 */
import '../own-folder.ts';
export { Crew } from './crew.ts';
export { reportAtExit, type Exiting } from './at-exit.ts';
export { DEFAULT_MAX_RECORDS, DEFAULT_TIMEOUT_MS } from './options.ts';
export type { RunOptions, RunResult } from './options.ts';
export type { HeldStage } from './job.ts';
export { RoleFailed, type RingItems } from './role-failed.ts';
export { run } from './run.ts';
export type { Finding, Parameters, ParameterValue } from '@poundlock/core/internal/finding';
export type { KernelParameters, Overrides } from '@poundlock/core/internal/program';
