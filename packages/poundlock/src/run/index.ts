// run: kernels on real threads.
import '../own-folder.ts';
export { reportAtExit } from './at-exit.ts';
export { Crew } from './crew.ts';
export { DEFAULT_MAX_RECORDS, DEFAULT_TIMEOUT_MS, SAMPLE_RECORDS } from './options.ts';
export type { RunOptions, RunResult } from './options.ts';
export { RoleFailed } from './role-failed.ts';
export { run } from './run.ts';
