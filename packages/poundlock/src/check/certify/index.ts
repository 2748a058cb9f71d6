// Certificates: what happens before what, in one run or in those that differ in their choices.
export { proveByChoices, proveByOneRun, type Explored, type Proof } from './prove.ts';
export { Exploration } from './explore.ts';
export { nothingLearned } from './run-state.ts';
export { CertifyingRun } from './run.ts';
export type { Undecided } from './certificate-failure.ts';
export type { Unfolded } from './execution-context.ts';
