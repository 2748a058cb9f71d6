// The pipelines of CUTLASS C++ where they differ from CuTe DSL's: counts that the class computes.
export { PipelineAsync, PipelineTmaAsync, PipelineTmaUmmaAsync } from './kinds.ts';
export { PipelineTransactionAsync, PipelineUmmaAsync } from './kinds.ts';
export { PipelineUmmaConsumerAsync } from './kinds.ts';
export type { ArrivalParams, PipelineParams, TmaAsyncParams, TmaParams } from './kinds.ts';
export { OrderedSequenceBarrier } from '../order.ts';
export { PipelineTmaStore, type StoreOptions } from '../store.ts';
