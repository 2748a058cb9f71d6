// `check` with every assumption accepted: what is proved if they hold, of kernels without a text.
import { ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';
import { check as checkStrictly, type CheckOptions } from '#src/check/index';

/** As `check`; `accept` of the options is instead of all. */
export function check(kernel: Kernel, options: CheckOptions = {}): Promise<CheckResult> {
  return checkStrictly(kernel, { accept: ASSUMPTION_NAMES, ...options });
}
