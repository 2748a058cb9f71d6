// Exports of the simulator for the other folders of this package.
import '../own-folder.ts';
export * from './calibration/index.ts';
export type {
  TimelineFlight,
  PathShare,
  RingUse,
  RoleTime,
  TimelineSignal,
  StalledLine,
} from '@poundlock/core/internal/finding';
export { pathShares } from './critical-path.ts';
export {
  PARAMETER_NAMES,
  PARAMETERS,
  type ParameterInfo,
  type ParameterName,
  type ParameterOrigin,
} from './parameters.ts';
export { atSustainedClock, costNameOf, costsOf, gpuModel } from './model.ts';
export type { Costs, GpuModel, GpuModelParameter } from './model.ts';
export { readModelText } from './file/read.ts';
export { MODEL_SCHEMA, modelText } from './file/write.ts';
export { limitsOf, occupancyOf } from './residency.ts';
export { runLaunch, type LaunchRun } from './launch-run.ts';
export { MODELS } from './models/index.ts';
export { MODEL_NAMES, type ModelName } from './models/names.ts';
export { DEFAULT_MAX_SPANS, type Recording, type Span } from './recording.ts';
export {
  cyclesOf,
  prepareInPlace,
  preparePlayback,
  predict,
  predictWith,
  simulate,
  timedProgram,
} from './simulate.ts';
export type { SimulateOptions, SimulateResult } from './simulate.ts';
export type { PreparedProgram, SimulationOptions } from './prepared.ts';
export { Simulation } from './simulation.ts';
export { StageBytes } from './stage-bytes.ts';
export { CAUSES } from './stalls.ts';
