// Findings, verdicts and the catalogue of rules.
export type { Finding, Place, Smaller } from './finding.ts';
export type { CheckResult, Example, Parameters, ParameterValue, Verdict } from './result.ts';
export { causeFirst, RULES, severityOf, type RuleId, type Severity } from './rule.ts';
export type { BarrierState, SlotState, Standing, TraceStep } from './trace.ts';
