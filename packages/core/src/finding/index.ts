// Findings, verdicts, reports, and the catalogue and pages of rules.
export type {
  InstructionPlace,
  Necessity,
  Proposal,
  ReviewedSize,
  SynchronizationAdvice,
  SimulatedGain,
  SimulatedReview,
  SynchronizationReview,
} from './advice.ts';
export {
  ASSUMPTION_NAMES,
  assumptionNames,
  assumptionRow,
  assumptionText,
  isAgainstIsa,
  isAssumption,
  needsAccept,
  uniqueAssumptions,
} from './assumption.ts';
export type { Assumption, AssumptionClass, AssumptionName, PracticeName } from './assumption.ts';
export type {
  Finding,
  RacingAccess,
  Replayable,
  ShrunkFinding,
  SourceLocation,
} from './finding.ts';
export type { Edit, Fix } from './fix.ts';
export { completedResults, isFailure, reportOf, resultsOf } from './report.ts';
export type {
  FailureVerdict,
  MoreStages,
  Report,
  ReportedAdvice,
  ReportedCheck,
  ReportedFailure,
  ReportedFinding,
  ReportedLint,
  ReportedRun,
  ReportedSimulation,
  ReportVerb,
  ResultOfVerb,
  ResultWithFindings,
  RunTimeline,
  SimulationDetail,
  StageGain,
  WithFindings,
} from './report.ts';
export type {
  CheckResult,
  EngineName,
  ExampleSchedule,
  BlockScope,
  CoveredForm,
  MissedInstruction,
  ResultCoverage,
  TriedLaunch,
  RepeatedSizes,
  SearchProgress,
  TextHash,
  TriedSizes,
  MemoryScope,
} from './result.ts';
export type {
  FindingRest,
  LaunchOrigin,
  LaunchParameter,
  LaunchScope,
  LaunchSize,
  TriedPart,
} from './launch-scope.ts';
export type { Parameters, ParameterValue, Verdict } from './result.ts';
export {
  ALL_RULES,
  causeFirst,
  evidenceOf,
  isRule,
  LINT_RULES,
  RUN_RULES,
  SIZE_RULES,
  WARNING_RULES,
  SCHEDULE_RULES,
  severityOf,
  titleOf,
} from './rule.ts';
export type { Evidence, LintRule, MemoryRule, RuleId, RunRule, ScheduleRule } from './rule.ts';
export type { Severity } from './rule.ts';
export { parseRulePage, type RulePage, type RulePrograms } from './rule-page.ts';
export type {
  TimelineFlight,
  ModelSummary,
  DeviceUse,
  Occupancy,
  PathShare,
  Roof,
  Roofline,
  RingUse,
  RoleTime,
  TimelineSignal,
  StallCause,
  StalledLine,
  Timeline,
  TimelinePiece,
  TimelineSpan,
} from './simulation.ts';
export type {
  BarrierState,
  IssuedWork,
  SlotState,
  Standing,
  StandingState,
  TraceStep,
} from './trace.ts';
