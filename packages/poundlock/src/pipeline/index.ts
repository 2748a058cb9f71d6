// Pipelines: rings of stages with scoped and linear ownership, as sugar over operations.
export { pipeline, ProducerConsumerPipeline } from './pipeline.ts';
export type { Advance, PipelineOptions } from './ring.ts';
export { ConsumerStage, ProducerStage } from './stage.ts';
export { ExplicitConsumerStage, ScopedConsumerStage, ScopedProducerStage } from './stage.ts';
export type { ConsumerStage as Tile } from './stage.ts';
export { mma, tma } from './units.ts';
