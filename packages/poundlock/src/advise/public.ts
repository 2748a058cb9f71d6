// The face of the adviser as a library, in Node or a browser.
import '../own-folder.ts';
export { advise, type AdviseOptions, type AdviseResult, type Proposal } from './advise.ts';
