// The ways to decide a check, one file each; which is tried when is the list of check.ts.
export { proveByEveryChoice } from './choices.ts';
export type { Decide, Decider } from './decider.ts';
export { searchFewStates } from './few-states.ts';
export { searchFully } from './full.ts';
export { searchInTurns } from './in-turns.ts';
export { proveFromOneRun } from './one-run.ts';
export { searchReduced } from './reduced.ts';
export { replaySchedule } from './replay.ts';
export { buildWitness } from './witness.ts';
