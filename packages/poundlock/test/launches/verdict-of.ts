// The verdict of a kernel at the launches that its text allows.
import type { CheckResult } from '@poundlock/core/internal/finding';
import { NOTHING_SUPPLIED, skeletonOf } from '@poundlock/ptx/internal/infer/skeleton';
import type { SuppliedParts } from '@poundlock/ptx/internal/infer/skeleton';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import type { CheckOptions } from '#src/check/index';
import { checkLaunches } from '#src/launches/index';

/** Checks the kernel of a text; `supplied` are the parts of its launch that are known. */
export async function verdictOf(
  text: string,
  supplied: Partial<SuppliedParts> = {},
  options: CheckOptions = {},
): Promise<CheckResult> {
  const module = parsePtx(text, 'kernel.ptx');
  const [entry] = [...module.functions.values()];
  const skeleton = skeletonOf(module, entry!, { ...NOTHING_SUPPLIED, ...supplied });
  return checkLaunches({ skeleton, ptx: { file: 'kernel.ptx', text } }, options);
}
