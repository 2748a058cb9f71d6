// Program texts: kernels, roles and operations, and the ways in which engines drive them.
export { SymbolicParameter } from './symbolic-parameter.ts';
export { integer, IntegerParameter } from './integer-parameter.ts';
export type { OpenCounts } from './declarations.ts';
export { callingRole, currentRole, keepPosted, post, postOwn } from './context.ts';
export type { RoleContext } from './context.ts';
export { Cursor, type Segment } from './cursor.ts';
export { claimName, currentDeclarations, requireCount } from './declarations.ts';
export type { DeclaredRing, Lack, Launch } from './declarations.ts';
export { BARRIER, barrier, buffer, cell, count, launch, pool } from './declare.ts';
export { declareBarrier, declareBuffer } from './declare.ts';
export type { Barrier, BarrierOptions, Cell, Count, LaunchOptions } from './declare.ts';
export type { Buffer } from './declared-buffer.ts';
export type { Pool } from './declare.ts';
export { ghost, moveHandle, postMisuse } from './ghost.ts';
export { StageHandle } from './handle.ts';
export { findDivergence, type Divergence, type DivergenceRule } from './determinism.ts';
export { IdleInstances } from './idle-instances.ts';
export { isKernel, requireKernel, kernel, type Kernel, type ProgramSource } from './kernel.ts';
export { kernelOf } from './kernel-of-module.ts';
export type { KernelOptions, KernelOwnership, TimedWork, Timing } from './kernel.ts';
export { lineOf, LINES, meetingOf, SECTORS, warpsMeeting } from './issue-trace.ts';
export type {
  IssuedInstruction,
  IssuedWarp,
  IssueKind,
  IssueTrace,
  IssueUnit,
} from './issue-trace.ts';
export type { KernelReference, OrderedWord, PeriodicKernel, Periods } from './kernel-reference.ts';
export type { ArrivalsOfText, ArrivalTarget, SkippedArrival } from './kernel-reference.ts';
export type {
  Certainty,
  CloserKernel,
  PlacedText,
  PossibleAccess,
  ReferenceAssumption,
  ReferenceFault,
} from './kernel-reference.ts';
export type {
  Answer,
  Answered,
  AnsweredWay,
  Answerer,
  InstructionForm,
  InstructionPlace,
  OtherWay,
  ReferenceCoverage,
  Ways,
} from './kernel-reference.ts';
export type {
  AllowedValues,
  AloneBlocks,
  Block,
  BlockAccess,
  BlockClasses,
  ExecutedBlocks,
  SharedUse,
  LaunchSurroundings,
  OtherLaunch,
} from './kernel-reference.ts';
export { abandonRoles, isProgramRunning, outsideProgram, refuseOutside } from './outside.ts';
export { runInPlace } from './in-place.ts';
export { EnoughSteps, InPlaceDifference, InPlaceSteps } from './in-place-steps.ts';
export type { Calls, Difference } from './in-place-steps.ts';
export { end, loop, type Carried, type End } from './loop.ts';
export { NondeterminismError } from './nondeterminism.ts';
export { NodeKind, type Nodes } from './nodes.ts';
export { Compute, More } from './preallocated-ops.ts';
export { created, Operation, operation } from './operation.ts';
export { requireLanes } from './operation-arguments.ts';
export type { Pending } from './pending-operations.ts';
export { trackGenerators } from './tracked-generators.ts';
export { COPY_TARGET, CTA_TARGETS, TILE_WORK } from './operation-options.ts';
export * from './operations.ts';
export { requireParameter, ResolvedParameters, resolveParameters } from './parameters.ts';
export type { KernelParameters, Overrides } from './parameters.ts';
export type { Executor, CompiledOp } from './executor.ts';
export { coveredBy, handleOf, misuseOf } from './ownership.ts';
export type { Misuse, OwnershipRule, Owned } from './ownership.ts';
export { Program } from './program.ts';
export { raiiSteps, recorded, withDestructors } from './raii.ts';
export { Resolver } from './resolve.ts';
export { isFailure } from './rows-of-tries.ts';
export { StepsDecorator } from './steps-decorator.ts';
export { ListSteps, RecordingSteps, type RecordedStep } from './recording.ts';
export { role, type Role, type RoleOptions, type WaitStyle } from './role.ts';
export { repeatedStep, type RepeatedStep } from './repeated-step.ts';
export { MAX_SILENT, neverPerformed, RoleDriver, Stand, standAt } from './role-driver.ts';
export type { RoleHost } from './role-driver.ts';
export type { StepId, Steps } from './steps.ts';
export { ChoiceError, runLinear, type LinearStep } from './linear-run.ts';
export { READING_UNITS } from './stores.ts';
export { copySeen, withStrands } from './strands.ts';
export { spanOf } from './strands.ts';
export type { By, ByStrands, StrandClass } from './strands.ts';
export { grid, type Grid, type GridOptions } from './grids.ts';
export { UncheckedOwnership } from './unchecked-ownership.ts';
export { RoleStopped } from './role-aborted.ts';
export { Unfolding } from './unfolding.ts';
export { requireWork, type View, type Work } from './work.ts';
