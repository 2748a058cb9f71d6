// The verdict of a kernel in all forms that change nothing.
import { InputError } from '@poundlock/core/internal/base';
import type { Kernel } from '@poundlock/core/internal/program';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';
import { exitCodeOf } from '#src/cli/exit-code';
import type { NamedKernel } from './kernels.ts';
import { withOtherRoles } from './role-names.ts';
import { TRANSFORMATIONS, type KernelFiles } from './transformations.ts';

/** The verdict of a check, its exit code, and the rule of the first finding. */
export async function answerOf(
  { ptx, launch }: KernelFiles,
  every?: string,
  change = (kernel: Kernel): Kernel => kernel,
): Promise<string> {
  try {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: ptx },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
    const result = await check(change(kernel), every === undefined ? {} : { every });
    const { verdict, findings } = result;
    const error = findings.find(({ severity }) => severity === 'error');
    return [exitCodeOf(verdict), verdict, error?.rule ?? ''].join(' ').trim();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `2 ${error.message}`;
  }
}

/** The forms of a kernel with another verdict: by transformation, what it was and what it is. */
export async function changedVerdicts(
  kernel: NamedKernel,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { every } = kernel;
  const answer = await answerOf(kernel, every);
  const again = TRANSFORMATIONS['printed again']!(kernel)!;
  const changed = new Map<string, string>();
  for (const name of names) {
    const other = name === OTHER_ROLES ? kernel : TRANSFORMATIONS[name]!(kernel);
    if (other === null || isSame(other, again, name)) continue;
    const next = await answerOf(other, every, name === OTHER_ROLES ? withOtherRoles : undefined);
    if (next !== answer) changed.set(name, `${answer} -> ${next}`);
  }
  return changed;
}

/** Whether a form is only the text printed again, which is checked as such. */
function isSame(other: KernelFiles, again: KernelFiles, name: string): boolean {
  return other.ptx === again.ptx && other.launch === again.launch && name !== 'printed again';
}

export const OTHER_ROLES = 'other roles';
/** All forms. */
export const FORMS: readonly string[] = [...Object.keys(TRANSFORMATIONS), OTHER_ROLES];
