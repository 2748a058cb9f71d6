// The public part of the room: rings of stages with scoped and linear handles.
export { BorrowedStage } from './borrowed.ts';
export { ConsumerStage, ProducerStage } from './linear.ts';
export { pipeline, ProducerConsumerPipeline, type StepOptions } from './pipeline.ts';
export type { Advance, PipelineOptions } from './ring.ts';
export { adopt, ConsumeContext, ExplicitConsumeContext, ProduceContext } from './scoped.ts';
export type { Arrival, Stage } from './stage.ts';
export { mma, tma } from './units.ts';
export type { CopyTarget, SlotToFill, TileWork } from './units.ts';
