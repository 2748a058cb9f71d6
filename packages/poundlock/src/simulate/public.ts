// The face of the simulator as a library, in Node or a browser.
import '../own-folder.ts';
export type { PathShare } from './critical-path.ts';
export type { Model, ModelParameter } from './model.ts';
export { MODELS } from './models/index.ts';
export type { FlightSpan, Recording, Signal, Span } from './recording.ts';
export { simulate } from './simulate.ts';
export type { SimulateOptions, SimulateResult, StalledLine } from './simulate.ts';
export type { Cause } from './stalls.ts';
export type { RingUse, RoleTime } from './statistics.ts';
