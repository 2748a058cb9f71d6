// check: every interleaving of a kernel, by exhaustive search.
import '../own-folder.ts';
export { isWaiting, standingAhead } from './ahead.ts';
export { boundReached, check, checkSteps, type StepsVerdict } from './check.ts';
export { CHECKS, PROJECT_KERNELS } from './project.ts';
export type { ProjectChecks, ProjectConfig, ProjectKernels } from './project.ts';
export { countConditions, type Conditions } from './conditions.ts';
export { DEFAULT_MAX_STATES, ENGINES, MAX_FINDINGS, MEMORY_PROFILES, SIZES } from './options.ts';
export { CHECK, uselessCheckOption } from './options.ts';
export type { CheckOptions, Engine, CheckProgress, MemoryProfile, Sizes } from './options.ts';
export { Coverage } from './sizes/coverage.ts';
export { sizesAround } from './sizes/candidates.ts';
export { allowedSizes } from './sizes/surroundings.ts';
export { Problem } from './problem.ts';
export { Packing } from './packing.ts';
export { nextInTurn } from './sample-run.ts';
export { Search } from './search.ts';
export { stuckSymptom, type Violation } from './violations.ts';
