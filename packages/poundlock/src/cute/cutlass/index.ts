// The pipelines of CUTLASS C++ where they differ from CuTe DSL's: counts that the class computes.
export * from './kinds.ts';
export { OrderedSequenceBarrier } from '../order.ts';
export { PipelineTmaStore } from '../store.ts';
