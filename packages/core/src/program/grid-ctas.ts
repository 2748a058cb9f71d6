// Which CTAs belong to which grid: those of later grids come after those of earlier ones.
import { InputError } from '../base/index.ts';
import type { Role } from './role.ts';

/** The CTAs of a grid, from `first` on, before `end`. */
export interface GridCtas {
  readonly first: number;
  readonly end: number;
}

/** The CTAs of each grid, from the roles that they run. */
export function gridsOf(roles: readonly Role[]): GridCtas[] {
  const grids = 1 + Math.max(...roles.map(({ grid }) => grid));
  const found: GridCtas[] = [];
  let first = 0;
  for (let grid = 0; grid < grids; grid++) {
    const own = roles.filter((role) => role.grid === grid);
    if (own.length === 0) throw new InputError(`grid ${grid} has no role`);
    const end = first + 1 + Math.max(...own.map(({ cta }) => cta));
    found.push({ first, end });
    first = end;
  }
  return found;
}
