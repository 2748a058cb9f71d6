// The public interface of `poundlock/simulate`: the performance simulator, in Node or a browser.
/**
 * The performance simulator: predicts the cycles of a kernel on the model of a GPU.
 *
 * @module poundlock/simulate
 */
import '../own-folder.ts';
export type { PathPiece, PathShare } from './critical-path.ts';
export type { Costs, GpuModel, GpuModelParameter } from './model.ts';
export { MODELS } from './models/index.ts';
export type { Timeline, TimelineFlight, TimelineSignal, TimelineSpan } from './recording.ts';
export { simulate } from './simulate.ts';
export type { SimulateOptions, SimulateResult, StalledLine } from './simulate.ts';
export type { StallCause } from './stalls.ts';
export type { RingUse, RoleTime } from './statistics.ts';
export type { Parameters, ParameterValue } from '@poundlock/core/internal/finding';
