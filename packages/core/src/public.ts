// The public interface of `@poundlock/core`: kernels, roles, pipelines and the instruction set.
/**
 * Describes kernels: roles that run concurrently, the pipelines and barriers between them, and the
 * operations that the roles perform.
 *
 * @module @poundlock/core
 */
export { InputError, type Position, type PtxLine } from './base/index.ts';
export type { SharedMemory, ViewType } from './base/index.ts';
export type { Parameters, ParameterValue } from './finding/index.ts';
export type { BarrierMode } from './machine/index.ts';
export { Side, UNITS, type Declared, type Op, type Scope, type Unit } from './op/index.ts';
export * from './pipeline/public.ts';
export { barrier, buffer, cell, count, launch, pool } from './program/declare.ts';
export type { Barrier, BarrierOptions, BufferOptions } from './program/declare.ts';
export type { Buffer } from './program/declared-buffer.ts';
export type {
  Cell,
  CellOptions,
  Count,
  LaunchOptions,
  Pool,
  PoolOptions,
} from './program/declare.ts';
export type { Space } from './program/declarations.ts';
export type { StageHandle } from './program/handle.ts';
export { integer, type IntegerOptions } from './program/integer-parameter.ts';
export type { IntegerParameter } from './program/integer-parameter.ts';
export { kernel, type Kernel } from './program/kernel.ts';
export type { KernelOptions, KernelOwnership } from './program/kernel.ts';
export { end, loop, type Carried, type End } from './program/loop.ts';
export type { Operation } from './program/operation.ts';
export {
  alloc,
  arrive,
  arriveCluster,
  arriveDrop,
  arriveNamed,
  asyncCopy,
  asyncUse,
  choose,
  commit,
  commitGroup,
  completeTx,
  compute,
  exit,
  expectTx,
  fence,
  fetchAdd,
  free,
  init,
  invalidate,
  join,
  launchDependents,
  load,
  namedBarrier,
  read,
  registers,
  relinquish,
  setMaxRegisters,
  signalWhenDone,
  spawn,
  store,
  syncCluster,
  syncNamed,
  syncWarp,
  tryWait,
  tryWaitParity,
  wait,
  waitCluster,
  waitGrids,
  waitGroup,
  waitParity,
  write,
} from './program/operations.ts';
export type {
  AccessOptions,
  AcquireOptions,
  ArriveOptions,
  CopyOptions,
  CtaGroup,
  CtaTargets,
  FenceOptions,
  GroupOptions,
  NamedOptions,
  ReleaseOptions,
  SignalOptions,
  SignalWhenDoneOptions,
  UseOptions,
  WaitOptions,
} from './program/operation-options.ts';
export type { FenceKind } from './program/memory-operations.ts';
export { grid, type Grid, type GridOptions } from './program/grids.ts';
export type { By, ByStrands } from './program/strands.ts';
export type { Default, Defaults, Resolved } from './program/parameters.ts';
export type {
  NamedBarrier,
  NamedBarrierOptions,
  RegisterOptions,
} from './program/role-operations.ts';
export { role, type Role, type RoleBody, type RoleOptions } from './program/role.ts';
export type { WaitStyle } from './program/role.ts';
export type { View, Work } from './program/work.ts';
