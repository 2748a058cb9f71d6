// A disagreement as a document: read from text, and as the kernel that a checker is asked about.
import { InputError } from '@poundlock/core/internal/base';
import type { Kernel } from '@poundlock/core/internal/program';
import type { Disagreement } from './chunk.ts';
import { KIND_NAMES, kindNamed } from './kinds.ts';

/** What names the program of a disagreement. */
export type NamedProgram = Pick<Disagreement, 'kind' | 'program'>;

/**
 * The kernel of a program, which any checker can be asked about.
 *
 * @example
 * import { drawChunk, kernelOf } from '@poundlock/fuzz';
 *
 * const [drawn] = drawChunk({ kinds: ['performed'], seed: 1 });
 * console.log(kernelOf(drawn!).name); // performed
 */
export function kernelOf({ kind, program }: NamedProgram): Kernel {
  return kindNamed(kind).kernel(program);
}

/**
 * A disagreement from the text of its file.
 *
 * @throws InputError where the text is none.
 * @example
 * import { asDisagreement, readDisagreement } from '@poundlock/fuzz';
 *
 * const text = JSON.stringify(asDisagreement('performed', 'it hangs', []));
 * console.log(readDisagreement(text).fault); // it hangs
 */
export function readDisagreement(text: string): Disagreement {
  let value: Partial<Disagreement> | null;
  try {
    value = JSON.parse(text) as Partial<Disagreement> | null;
  } catch (error) {
    throw new InputError(`no JSON: ${(error as Error).message}`);
  }
  if (value?.schema !== 'poundlock/disagreement@1' || value.program === undefined)
    throw new InputError('not a disagreement that poundlock fuzz has written');
  const { kind } = value;
  if (!KIND_NAMES.some((name) => name === kind))
    throw new InputError(`there is no kind ${String(kind)}: there are ${KIND_NAMES.join(', ')}`);
  return value as Disagreement;
}
