// The public interface of `@poundlock/dialects/cute`: the pipelines of CuTe DSL and CUTLASS C++.
/**
 * The pipeline classes of CuTe DSL, and of CUTLASS C++ under `cutlass`, on top of poundlock's
 * rings.
 *
 * @module @poundlock/dialects/cute
 */
import '../own-folder.ts';
/** The pipelines of CUTLASS C++, where they differ from those of CuTe DSL. */
export * as cutlass from './cutlass/public.ts';
export type { CtaLayout, McastMode } from './cluster.ts';
export { Agent, CooperativeGroup } from './group.ts';
export type { Calling, ConsumerHandle, ProducerHandle } from './handle.ts';
export { PipelineAsync, PipelineAsyncUmma, PipelineClcFetchAsync } from './kinds.ts';
export { PipelineTmaAsync, PipelineTmaUmma, PipelineUmmaAsync } from './kinds.ts';
export type { CreateOptions, TmaOptions } from './kinds.ts';
export { OrderedSequenceBarrier as PipelineOrder } from './order.ts';
export type { OrderedGroup, OrderOptions } from './order.ts';
export type { PipelineConsumer, PipelineProducer } from './participants.ts';
export type { Pipeline } from './pipeline.ts';
export { advance, makeConsumerStartState, makeProducerStartState } from './state.ts';
export type { PipelineState, Staged, StartOptions } from './state.ts';
export { PipelineTmaStore, type StoreOptions } from './store.ts';
