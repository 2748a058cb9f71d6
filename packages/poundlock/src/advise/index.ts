// The library face of the adviser.
import '../own-folder.ts';
export { advise, type AdviseOptions, type AdviseResult, type Proposal } from './advise.ts';
