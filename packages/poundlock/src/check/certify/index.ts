// Certificates: what happens before what, in one run or in those that differ in their choices.
export { failureAgain, proveByChoices, proveByOneRun } from './prove.ts';
export type { Explored, Proof, ProofBounds } from './prove.ts';
export { Exploration } from './explore.ts';
export { noTraits } from './run-state.ts';
export { CertifyingRun } from './run.ts';
export type { FailedCondition, NamedMeeting } from './certificate-failure.ts';
export type { RunPlace } from './run-place.ts';
export { executionContext, type ExecutionContext } from './execution-context.ts';
