// The library face of the simulator.
import '../own-folder.ts';
export * from './calibration/index.ts';
export { pathShares, type PathPiece, type PathShare } from './critical-path.ts';
export { costsOf, type Costs, type GpuModel, type GpuModelParameter } from './model.ts';
export { MODELS } from './models/index.ts';
export { DEFAULT_MAX_SPANS, type Timeline, type TimelineFlight } from './recording.ts';
export type { TimelineSignal, TimelineSpan } from './recording.ts';
export { cyclesOf, inPlace, playedBack, predict, predictWith, simulate } from './simulate.ts';
export { totalCycles } from './simulate.ts';
export type { SimulateOptions, SimulateResult, StalledLine } from './simulate.ts';
export { Simulation, type Prepared, type SimulationOptions } from './simulation.ts';
export { CAUSES, type StallCause } from './stalls.ts';
export type { RingUse, RoleTime } from './statistics.ts';
