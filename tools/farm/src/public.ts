// The public interface of `@poundlock/farm`.
/**
 * A queue of jobs for many machines, in Redis, Valkey or PostgreSQL: what `--farm URL` and
 * `poundlock worker` use. It knows jobs as text with a hash, and nothing of programs.
 *
 * @module @poundlock/farm
 */
export { Farm, type FarmOptions } from './farm.ts';
export { FinalError } from './job.ts';
export type { FarmJob, FarmProgram, FarmResult, FarmTask } from './job.ts';
export type { FarmStatus, WorkerReport } from './status.ts';
export type { FarmWorker, RunJob, WorkOptions } from './worker.ts';
