// CUTLASS and CuTe DSL pipelines in their own words, as sugar over rings and operations.
import '../own-folder.ts';
export * as cutlass from './cutlass/index.ts';
export type { CtaLayout, McastMode } from './cluster.ts';
export { Agent, CooperativeGroup } from './group.ts';
export { ConsumerHandle, ProducerHandle, type Calling } from './handle.ts';
export * from './kinds.ts';
export { OrderedSequenceBarrier as PipelineOrder, type OrderOptions } from './order.ts';
export { PipelineConsumer, PipelineProducer } from './participants.ts';
export type { Pipeline } from './pipeline.ts';
export { advance, makeConsumerStartState, makeProducerStartState } from './state.ts';
export type { PipelineState } from './state.ts';
export { PipelineTmaStore } from './store.ts';
