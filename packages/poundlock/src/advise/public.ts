// Public exports of `poundlock/advise`, in Node or a browser.
import '../own-folder.ts';
export type { Proposal } from '@poundlock/core/internal/finding';
export { advise, type AdviseOptions, type AdviseResult } from './advise.ts';
