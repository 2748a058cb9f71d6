// The face of the runtime: kernels on worker threads, and rings between threads.
import '../own-folder.ts';
export * from '@poundlock/ring';
export { DEFAULT_MAX_RECORDS, DEFAULT_TIMEOUT_MS } from './options.ts';
export type { RunOptions, RunResult } from './options.ts';
export { RoleFailed } from './role-failed.ts';
export { run } from './run.ts';
