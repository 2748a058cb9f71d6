// Findings, verdicts and the catalogue of rules.
export type { Finding, Place, Replayable, Smaller } from './finding.ts';
export type { LintEdit, LintFix, LintReport, ReportedFinding } from './lint-report.ts';
export type { CheckResult, EngineName, Example } from './result.ts';
export type { Parameters, ParameterValue, Verdict } from './result.ts';
export { ALL_RULES, causeFirst, LINT_RULES, RULES, severityOf, SOURCE_RULES } from './rule.ts';
export type { LintRule, RuleId, ScheduleRule, Severity, SourceRule } from './rule.ts';
export type { BarrierState, SlotState, Standing, TraceStep } from './trace.ts';
