// The public interface of `poundlock/advise`, in Node or a browser.
/**
 * Proposes other release points, orders and numbers of stages, each checked and simulated.
 *
 * @module poundlock/advise
 */
import '../own-folder.ts';
export type { Proposal } from '@poundlock/core/internal/finding';
export { advise, type AdviseOptions, type AdviseResult } from './advise.ts';
export type { KernelParameters, Overrides } from '@poundlock/core/internal/program';
