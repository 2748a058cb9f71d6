// The face of `poundlock/ptx`: kernels as built, from their PTX. Runs in browsers, too.
import './own-folder.ts';
export { ptxKernel, type PtxKernelOptions, type SourceText } from './kernel/kernel.ts';
export { stepsKernel, type StepsKernelOptions } from './kernel/steps-kernel.ts';
export { parsePtx } from './text/parse.ts';
export type { PtxModule } from './text/module.ts';
