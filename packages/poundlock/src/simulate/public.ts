// The face of the simulator as a library, in Node or a browser.
import '../own-folder.ts';
export type { FlightSpan, PathShare, RingUse } from '@poundlock/core/internal/finding';
export type { RoleTime, Signal, StallCause, StalledLine } from '@poundlock/core/internal/finding';
export type { Timeline, TimelineSpan } from '@poundlock/core/internal/finding';
export type { Model, ModelParameter } from './model.ts';
export { MODELS } from './models/index.ts';
export type { ModelName } from './models/names.ts';
export { simulate } from './simulate.ts';
export type { SimulateOptions, SimulateResult } from './simulate.ts';
