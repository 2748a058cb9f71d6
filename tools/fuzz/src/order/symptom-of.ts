// What a finding shows, where it is named after its cause.
import type { Finding } from '@poundlock/core/internal/finding';

/** X02: with memory checked, a copy that lands in a CTA that has ended is named for the copy. */
export function isOf(rules: ReadonlySet<string>, rule: string): boolean {
  return rules.has(rule) || (rule === 'exit-with-open-flight' && rules.has('missing-drain'));
}

/**
 * N05: a named barrier whose uses can meet is the cause of what the schedule shows. P12: a step
 * without a signal is that of a deadlock.
 */
export function symptomOf({ rule, notes }: Finding): string {
  if (rule === 'stepped-without-signal') return 'deadlock';
  if (rule !== 'shared-barrier-id') return rule;
  return /^it shows as ([\w-]+):/.exec(notes?.[0] ?? '')?.[1] ?? rule;
}
