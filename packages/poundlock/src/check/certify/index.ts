// Certificates: one run and its happens-before relation, as a proof for every run.
export { prove, type Proof } from './prove.ts';
export { CertifyingRun, type RunStats } from './run.ts';
export type { Undecided } from './stop.ts';
