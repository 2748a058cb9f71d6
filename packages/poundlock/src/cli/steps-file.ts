// `--steps FILE`: writes what the warps of a kernel as built do.
import { InputError } from '@poundlock/core/internal/base';
import { type Host, writeAtomically } from '@poundlock/core/internal/host';
import type { Planned } from './check-files.ts';

/**
 * Writes the steps of the run that a kernel was taken from.
 *
 * @throws InputError for a program, or a run that a bound ended.
 */
export function writeStepsFile(planned: Planned | null, out: string, host: Host): void {
  if (planned === null) return;
  const { file, kernel, params } = planned;
  const text = kernel.runText?.(params.values);
  if (text === undefined)
    throw new InputError(`--steps is for PTX and steps files, and ${file} is a program`);
  writeAtomically(out, host.cwd, text);
}
