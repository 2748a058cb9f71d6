// Counterexamples without a search: schedules that are built from one run and its happens-before.
export { constructWitness, type Witness } from './construct.ts';
export { witnessOf } from './from-failure.ts';
export { recheckConditions, type Conditions } from './recheck.ts';
export { MAX_SHRINK_MOVES, shrinkSchedule } from './shrink.ts';
