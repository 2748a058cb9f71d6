// Findings, verdicts and the catalogue of rules.
export type { Finding, Place, TraceStep } from './finding.ts';
export type { CheckResult, Parameters, ParameterValue, Verdict } from './result.ts';
export { causeFirst, RULES, severityOf, type RuleId, type Severity } from './rule.ts';
