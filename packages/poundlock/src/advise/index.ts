// The library face of the adviser.
export { advise, type AdviseOptions, type AdviseResult, type Proposal } from './advise.ts';
