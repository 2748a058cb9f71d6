// What a finding shows, where it is named after its cause.
import type { Finding } from '@poundlock/core/internal/finding';

/** N05: a named barrier whose uses can meet is the cause of what the schedule shows. */
export function symptomOf({ rule, notes }: Finding): string {
  if (rule !== 'shared-barrier-id') return rule;
  return /^it shows as ([\w-]+):/.exec(notes?.[0] ?? '')?.[1] ?? rule;
}
