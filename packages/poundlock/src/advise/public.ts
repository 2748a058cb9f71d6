// The public interface of `poundlock/advise`, in Node or a browser.
/**
 * Proposes other release points, orders and numbers of stages, each checked and simulated.
 *
 * @module poundlock/advise
 */
import '../own-folder.ts';
export { advise, type AdviseOptions, type AdviseResult, type Proposal } from './advise.ts';
