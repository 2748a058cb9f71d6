// The public interface of `poundlock/simulate`: the performance simulator, in Node or a browser.
/**
 * The performance simulator: predicts the cycles of a kernel on the model of a GPU.
 *
 * @module poundlock/simulate
 */
import '../own-folder.ts';
export type { CostName, Costs, GpuModel, GpuModelParameter } from './model.ts';
export { PARAMETERS } from './parameters.ts';
export type { ParameterInfo, ParameterName, ParameterOrigin } from './parameters.ts';
export { MODELS } from './models/index.ts';
export type { ModelName } from './models/names.ts';
export { simulate, type SimulateOptions, type SimulateResult } from './simulate.ts';
export type { Parameters, ParameterValue, PathShare } from '@poundlock/core/internal/finding';
export type { DeviceUse, Occupancy, Roof, Roofline } from '@poundlock/core/internal/finding';
export type { RingUse, RoleTime, StallCause, StalledLine } from '@poundlock/core/internal/finding';
export type { Timeline, TimelineFlight, TimelineSignal } from '@poundlock/core/internal/finding';
export type { TimelinePiece, TimelineSpan } from '@poundlock/core/internal/finding';
export type { KernelParameters, Overrides } from '@poundlock/core/internal/program';
