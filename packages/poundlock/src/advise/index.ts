// The library face of the adviser.
import '../own-folder.ts';
export type { Proposal } from '@poundlock/core/internal/finding';
export { advise, type AdviseOptions, type AdviseResult } from './advise.ts';
