// Counterexamples without a search: schedules that are built from one run and its happens-before.
export { constructWitness, type Witness } from './construct.ts';
export { recount, type Conditions } from './recount.ts';
export { shrinkSchedule } from './shrink.ts';
