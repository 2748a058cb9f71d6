// Findings, verdicts, and the catalogue and pages of rules.
export type { Finding, SourceLocation, ShrunkFinding } from './finding.ts';
export type { LintEdit, LintFix, LintReport, ReportedFinding } from './lint-report.ts';
export type {
  CheckResult,
  ExampleSchedule,
  Parameters,
  ParameterValue,
  Verdict,
} from './result.ts';
export {
  ALL_RULES,
  causeFirst,
  evidenceOf,
  isRule,
  LINT_RULES,
  RULE_CATALOGUE,
  SCHEDULE_RULES,
  severityOf,
  titleOf,
} from './rule.ts';
export type { Evidence, LintRule, RuleId, ScheduleRule, Severity, SourceRule } from './rule.ts';
export { parseRulePage, type RulePage, type RulePrograms } from './rule-page.ts';
export type { BarrierState, SlotState, Standing, TraceStep } from './trace.ts';
