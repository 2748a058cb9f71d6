// The public interface of `poundlock/check`: the model checker, in Node or a browser.
/**
 * The model checker: explores every interleaving of a kernel, or proves it from few runs.
 *
 * @module poundlock/check
 */
import '../own-folder.ts';
export { check } from './check.ts';
export { DEFAULT_MAX_STATES, type CheckOptions, type CheckProgress } from './options.ts';
export type { ProjectChecks, ProjectConfig, ProjectKernels } from './project.ts';
export type { Engine, Limits, MemoryProfile, Question, Sizes } from './options.ts';
export type {
  BarrierState,
  BlockScope,
  CheckResult,
  EngineName,
  IssuedWork,
  MemoryScope,
  MissedInstruction,
  Assumption,
  CoveredForm,
  ResultCoverage,
  TriedLaunch,
  FindingRest,
  LaunchOrigin,
  LaunchParameter,
  LaunchScope,
  LaunchSize,
  TriedPart,
  RepeatedSizes,
  SearchProgress,
  TextHash,
  TriedSizes,
} from '@poundlock/core/internal/finding';
export type { PtxLine } from '@poundlock/core/internal/base';
export type { ExampleSchedule, Finding, Parameters } from '@poundlock/core/internal/finding';
export type { ParameterValue, RuleId, Severity } from '@poundlock/core/internal/finding';
export type { RacingAccess } from '@poundlock/core/internal/finding';
export type { ShrunkFinding, SlotState, SourceLocation } from '@poundlock/core/internal/finding';
export type { Standing, StandingState, TraceStep, Verdict } from '@poundlock/core/internal/finding';
export type { KernelParameters, Overrides } from '@poundlock/core/internal/program';
