// How a kernel waits for the grid before, in the words of its own text.
import type { Program } from '../../program/index.ts';

/** The wait: an instruction where the kernel is one as built. */
export function waitOf({ kernel }: Program): string {
  return kernel.reference === undefined ? 'waitGrids()' : 'griddepcontrol.wait';
}

/** How a role could wait. */
export function helpToWait({ kernel }: Program, role: string): string {
  return kernel.reference === undefined
    ? `let ${role} perform yield* waitGrids() before it, or wait for a role that has done so`
    : `let ${role} execute griddepcontrol.wait before it, or wait for a warp that has done so`;
}
