// `check` with every assumption accepted: what is proved of a kernel as built if they hold.
import { check as checkStrictly, type CheckOptions, type CheckResult } from 'poundlock/check';
import { ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';

/** As `check`; `accept` of the options is instead of all. */
export function check(kernel: Kernel, options: CheckOptions = {}): Promise<CheckResult> {
  return checkStrictly(kernel, { accept: ASSUMPTION_NAMES, ...options });
}
