// A ring of stages between threads: no kernels, no generators, nothing of Node.
import './own-folder.ts';
export { Batch, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
export { Consumer } from './consumer.ts';
export { RingClosed, RingMisuse, RingPoisoned, RingTimeout } from './errors.ts';
export type { RingFailure, ItemCounts, RingMisuseRule, RingSide } from './errors.ts';
export { POLICY_NAMES, type PolicyName } from './policy/index.ts';
export { Producer } from './producer.ts';
export { attachRing, createRing, Ring } from './ring.ts';
export type { RingOptions, SupervisedWorker, TransferredRing } from './ring.ts';
export type { Data, SchemaField, NumberType, Schema } from './schema.ts';
export type { HeldStages } from './shared.ts';
export { RingStage } from './tile.ts';
export type { SharedMemory, ViewType } from '../../core/src/base/index.ts';
