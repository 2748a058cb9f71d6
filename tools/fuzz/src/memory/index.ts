// Random programs about memory, and the view machine, which shares no code with the engines.
export { litmusKernel } from './litmus-kernel.ts';
export type { LitmusAgent, LitmusOp, LitmusProgram } from './litmus-program.ts';
export { MEMORY_KINDS } from './kinds.ts';
export { compare } from './random/compare.ts';
export type { Agreement } from './random/compare.ts';
export { complaintOf, isAgreed } from './random/disagreement.ts';
export { randomProgram } from './random/random-program.ts';
export { explore } from './view-machine/explore.ts';
export type { Faults, ViewOptions } from './view-machine/options.ts';
export { sceneOf } from './view-machine/scene-builder.ts';
