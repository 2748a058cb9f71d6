// The states of a kernel, one after the other, as data for a page.
export { explore, MAX_STEPS } from './explore.ts';
export type { ExploredKernel, ExploredState, ExploredVerdict, Values } from './state.ts';
