// The instruction set: operations as data, their catalogue, and the units they run on.
export type { OpArguments } from './arguments.ts';
export {
  CATALOGUE,
  isAccess,
  isGhost,
  isMeeting,
  isOnCell,
  isOnPool,
  isOpen,
  isSignal,
  isSilent,
  isStageTest,
  isTest,
  isTry,
  isWait,
  mayArrive,
  type AccessKind,
  type CellKind,
  type GhostKind,
  type InstructionKind,
  type MeetingKind,
  type OpenKind,
  type OpClass,
  type OpEntry,
  type PoolKind,
  type PostedKind,
  type SignalKind,
  type SilentKind,
  type StageTestKind,
  type TestKind,
  type TryKind,
  type UnansweredKind,
  type WaitKind,
} from './catalogue.ts';
export { Fence, FenceSpace } from './fence.ts';
export { OpKind, Side, type OpName } from './kind.ts';
export { isGhostOp, makeOp, type Declared, type GhostOp, type Op, type OpOf } from './op.ts';
export { AUTO, isRelaxed, isWide, isWidest, orderOf, SCOPES } from './order.ts';
export type { Scope, Semantics } from './order.ts';
export { requireUnit, UNITS, type Unit } from './unit.ts';
export { WARP } from './warp.ts';
