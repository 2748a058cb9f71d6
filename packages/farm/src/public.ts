// The exports of @poundlock/farm: a queue of jobs for many machines.
export { Farm, type FarmOptions } from './farm.ts';
export type { FarmJob, FarmProgram, FarmResult } from './job.ts';
export type { FarmStatus, WorkerReport } from './status.ts';
export type { FarmWorker, RunJob, WorkOptions } from './worker.ts';
