// A kernel as built of which a run leaves open what unknown data decides: another run asks for it.
import type { CheckResult } from '@poundlock/core/internal/finding';
import type {
  CloserKernel,
  Kernel,
  KernelReference,
  ResolvedParameters,
} from '@poundlock/core/internal/program';

/** A result and the run that it is about. */
export interface OfRun {
  readonly result: CheckResult;
  readonly reference: KernelReference;
}

/**
 * Checks what one run stands for; again with all questions asked where the verdict may rest on one
 * that was not. The second verdict counts if it decides, or if it takes an error back.
 */
export async function checkClosely(
  kernel: Kernel,
  { values }: ResolvedParameters,
  reference: KernelReference,
  isOver: () => boolean,
  check: (kernel: Kernel, reference: KernelReference) => Promise<CheckResult>,
): Promise<OfRun> {
  const result = await check(kernel, reference);
  const { closer } = reference;
  if (closer === undefined || isOver() || !mayRestOnOpen(result, closer))
    return { result, reference };
  const closely = closer.kernel();
  const other = closely.reference!(values, isOver);
  const found = await check(closely, other);
  const isBetter = found.verdict !== 'inconclusive' || result.verdict === 'counterexample';
  return isBetter ? { result: found, reference: other } : { result, reference };
}

/** Whether a question that was not asked may decide, or show that an error is none. */
function mayRestOnOpen({ verdict, findings }: CheckResult, { hasJoins }: CloserKernel): boolean {
  if (verdict === 'inconclusive') return true;
  return hasJoins && findings.some(({ rule }) => rule === 'unjoined-lanes');
}
