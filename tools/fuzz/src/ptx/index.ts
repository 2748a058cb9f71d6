// Random kernels as built, and every schedule of a PTX text, which shares no code with ptx.
export { compareGroup, compareKernel, DISAGREEMENTS } from './compare.ts';
export type { Agreement, Compared, GroupResult, PtxChecker } from './compare.ts';
export { exploreKernel } from './explore.ts';
export type { Outcome } from './exploration.ts';
export { launchOf, ptxOf } from './print-program.ts';
export { GROUPS } from './program.ts';
export type { Group, KernelProgram } from './program.ts';
export { kernelPrograms } from './random-kernel.ts';
