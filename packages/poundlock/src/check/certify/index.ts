// Certificates: one run and its happens-before relation, as a proof for every run.
export { CertifyingRun, type RunStats, type Undecided } from './run.ts';
