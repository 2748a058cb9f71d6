// The states of a kernel, one after the other, as data for a page.
export { explore, MAX_STEPS } from './explore.ts';
export { builtFrom, type BuiltChoice, type BuiltOffer, type LaunchPlace } from './launches.ts';
export {
  MAX_SHARED_FILES,
  MAX_SHARED_TEXT,
  readProgram,
  writeProgram,
  type SharedFile,
} from './link.ts';
export { ExploreSession, type Loaded, type SessionHost } from './session.ts';
export type { ExploredKernel, ExploredState, ExploredVerdict, Values } from './state.ts';
export type { ExploredSimulation, StageTime, WhatIf } from './simulation.ts';
