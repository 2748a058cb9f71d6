// The public interface of `@poundlock/ring`: a ring of stages between threads, in Node or a
// browser.
/**
 * Ring buffers of stages between worker threads, in shared memory.
 *
 * @module @poundlock/ring
 */
import './own-folder.ts';
export { Batch } from './batch.ts';
export type { AsyncWaitOptions, RingEndpoint, WaitOptions } from './endpoint.ts';
export { Consumer } from './consumer.ts';
export { RingClosed, RingMisuse, RingPoisoned, RingTimeout } from './errors.ts';
export type { RingFailure, ItemCounts, RingMisuseRule, RingSide } from './errors.ts';
export { POLICY_NAMES, type PolicyName } from './policy/index.ts';
export { pipe, PipeError, PipeRun, wholeLines } from './pipe/index.ts';
export type {
  PipeFunction,
  PipeGroup,
  PipeLink,
  PipeOptions,
  PipeProgress,
  PipeSink,
  PipeSource,
  PipeStage,
  PipeStageOptions,
  PipeTopology,
  StageProgress,
} from './pipe/index.ts';
export { Producer } from './producer.ts';
export { attachRing, createRing, Ring } from './ring.ts';
export type { RingOptions } from './options.ts';
export type { SupervisedWorker, TransferredRing } from './ring.ts';
export { RelayScope } from './scope.ts';
export type { Data, SchemaField, NumberType, Schema } from './schema.ts';
export type { HeldStages } from './shared.ts';
export { RingStage } from './tile.ts';
export { InputError, type SharedMemory, type ViewType } from '../../core/src/base/index.ts';
