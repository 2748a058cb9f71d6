// Exports of the adviser for the other folders of this package.
import '../own-folder.ts';
export type { Proposal } from '@poundlock/core/internal/finding';
export { advise, type AdviseOptions, type AdviseResult, type Changed } from './advise.ts';
export { stageParameters } from './stages.ts';
