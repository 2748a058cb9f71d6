// The stable ids of everything poundlock can find, in schedules and in sources.

/**
 * Rules of schedules, in the order of design: where several findings meet at one depth, the later
 * rule is reported first, because it is closer to the cause.
 */
export const RULES = [
  'deadlock',
  'race',
  'false-pass',
  'false-block',
  'late-pass',
  'over-arrival',
  'tx-mismatch',
  'leaked-stage',
  'double-release',
  'use-after-release',
  'double-acquire',
  'stepped-without-signal',
  'missing-drain',
  'uninitialised-barrier',
  'tmem-use-after-free',
  'tmem-double-free',
  'tmem-not-relinquished',
  'capacity',
  'named-barrier-mismatch',
  'divergent-exit',
  'divergent-step',
  'stale-try-token',
  'forked-pipeline',
  'not-quiescent',
  'child-outlives-parent',
  'release-order',
  'nondeterministic-role',
  'loop-captures',
] as const;

/** Rules that only a source shows. */
export const SOURCE_RULES = [
  'leak',
  'leak-on-throw',
  'escaping-handle',
  'discarded-handle',
  'floating-op',
  'await-in-role',
] as const;

/** Everything that `lint` reports: of handles of any kind, then of pipelines and their roles. */
export const LINT_RULES = [
  'leak',
  'leak-on-throw',
  'discarded-handle',
  'double-release',
  'use-after-release',
  'escaping-handle',
  'release-order',
  'leaked-stage',
  'floating-op',
  'await-in-role',
  'loop-captures',
  'nondeterministic-role',
] as const satisfies readonly (ScheduleRule | SourceRule)[];

export type ScheduleRule = (typeof RULES)[number];
export type SourceRule = (typeof SOURCE_RULES)[number];
export type LintRule = (typeof LINT_RULES)[number];
export type RuleId = ScheduleRule | SourceRule;

/** Everything that `poundlock explain` explains. */
export const ALL_RULES: readonly RuleId[] = [...RULES, ...SOURCE_RULES];

export type Severity = 'error' | 'warning';

const WARNINGS: ReadonlySet<RuleId> = new Set([
  'late-pass',
  'not-quiescent',
  'tmem-not-relinquished',
]);

/** Whether a finding of this rule makes the program a counterexample. */
export function severityOf(rule: RuleId): Severity {
  return WARNINGS.has(rule) ? 'warning' : 'error';
}

/** Sorts rules: the cause before the symptom. */
export function causeFirst(a: RuleId, b: RuleId): number {
  return ALL_RULES.indexOf(b) - ALL_RULES.indexOf(a);
}
