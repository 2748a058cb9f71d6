// The program of a disagreement as the kernel that a checker is asked about.
import type { Kernel } from '@poundlock/core/internal/program';
import type { Disagreement } from './chunk.ts';
import { kindNamed } from './kinds.ts';

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
