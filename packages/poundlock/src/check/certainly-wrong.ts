// An error that is one for all data, where one that data decides was found first.
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Kernel, KernelReference } from '@poundlock/core/internal/program';
import type { MemoryProfile } from './options.ts';
import { withReference } from './reference.ts';

/**
 * An error of a kernel that needs no access which data decides; `null` where it has none, or where
 * the error that was found first is in no doubt.
 */
export async function certainlyWrong(
  { verdict }: CheckResult,
  checked: CheckResult,
  reference: KernelReference,
  profile: MemoryProfile,
  check: (kernel: Kernel) => Promise<CheckResult>,
): Promise<CheckResult | null> {
  const isDoubted = verdict === 'inconclusive' && checked.verdict === 'counterexample';
  const certain = isDoubted ? reference.certain?.() : undefined;
  if (certain === undefined) return null;
  const result = withReference(await check(certain), reference, profile);
  return result.verdict === 'counterexample' ? { ...result, params: checked.params } : null;
}
