// Grids: kernels that are launched one after the other, and may overlap (D01, D02).
import { currentPosition, InputError, option, optionTable, requireOptions } from '../base/index.ts';
import type { OptionsOf } from '../base/index.ts';
import { currentDeclarations } from './declarations.ts';

/** A grid of a program with several: see {@link grid}. */
export interface Grid {
  /** The type of declaration. */
  readonly type: 'grid';
  /** Its number, from 0, in the order of the launches. */
  readonly id: number;
  /** Its name in findings. */
  readonly name: string;
}

export function isGrid(value: object): boolean {
  return (value as Partial<Grid>).type === 'grid';
}

export const GRID = optionTable({
  /** The grid that is launched before it, whose end it may overlap with. */
  after: option.object<Grid>('a grid', isGrid),
});

/** Options of {@link grid}. */
export interface GridOptions extends OptionsOf<typeof GRID> {}

/**
 * Declares a grid: one of several kernels that are launched one after the other, with programmatic
 * dependent launch. The roles of a grid may begin when each CTA of the grid before has executed
 * `launchDependents()` or has ended (D01).
 *
 * @throws InputError outside a kernel's callback, for a name that is in use, or a grid that is not
 * launched after the last one.
 *
 * @example
 * const first = grid('first');
 * const second = grid('second', { after: first });
 * const out = buffer('out', { space: 'global' });
 * return [
 *   role('gemm', { grid: first }, function* () {
 *     write(out);
 *     launchDependents();
 *   }),
 *   role('reduce', { grid: second }, function* () {
 *     yield* waitGrids();
 *     read(out);
 *   }),
 * ];
 */
export function grid(name: string, options: GridOptions = {}): Grid {
  const declarations = currentDeclarations('grid()');
  requireOptions('grid()', GRID, options);
  declarations.claimName(name);
  const id = declarations.grids.length;
  if ((options.after?.id ?? -1) !== id - 1) {
    const before = declarations.grids[id - 1] ?? 'none';
    throw new InputError(
      `grids are launched one after the other: ${name} must come after ${before}`,
      currentPosition(),
    );
  }
  declarations.grids.push(name);
  return { type: 'grid', id, name };
}
