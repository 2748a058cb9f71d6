// Certificates: one run and its happens-before relation, as a proof for every run.
export { CertifyingRun, type RunStats } from './run.ts';
export type { Undecided } from './stop.ts';
