// The face of the checker as a library, in Node or a browser.
import '../own-folder.ts';
export { check } from './check.ts';
export { DEFAULT_MAX_STATES, type CheckOptions, type Progress } from './options.ts';
export { STRATEGIES, type StrategyName } from './strategies/index.ts';
export type { CheckResult, Example, Finding, Place } from '@poundlock/core/internal/finding';
export type { Parameters, ParameterValue, RuleId } from '@poundlock/core/internal/finding';
export type { Severity, Smaller, TraceStep, Verdict } from '@poundlock/core/internal/finding';
