// The ground floor: assertions, errors a user can cause, bounds, interning, source positions.
export { Alarm, TimeUpError } from './alarm.ts';
export { InvariantError, invariant, unreachable } from './assert.ts';
export { displayJson, displayName, displaySource, displayText } from './display.ts';
export { BOUND_NAMES, BoundError, type BoundName } from './bound-error.ts';
export { NotTimedError } from './not-timed-error.ts';
export { InputError } from './input-error.ts';
export { ViolationError } from './violation-error.ts';
export { documentation } from './documentation.ts';
export { closed, closeMembers, declareFields } from './closed.ts';
export { findName, nearest, unknownName } from './nearest.ts';
export { sha256Of } from './sha256.ts';
export { skipEdges, type SkipEdge } from './skip-edges.ts';
export { option, type OptionValue } from './option-values.ts';
export { optionTable, requireOptions, requireWord, surplus, uselessOption } from './options.ts';
export type { OptionsOf, OptionTable } from './options.ts';
export { moduleBeside } from './module-beside.ts';
export {
  currentPosition,
  formatPosition,
  callSite,
  positionInStack,
  positionKey,
} from './position.ts';
export { INSTRUCTION } from './position.ts';
export type { Position, PtxLine } from './position.ts';
export { isOwnModule, ownFolders, registerOwnFolder } from './position.ts';
export { rangesOf } from './ranges.ts';
export { counted, duration, grouped } from './quantity.ts';
export type { SharedMemory, ViewType } from './view-type.ts';
