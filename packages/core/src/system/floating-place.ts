// Finds the line of an operation that a role never performs, for engines that do not record places.
import type { Position } from '../base/index.ts';
import { Unfolding, type Program } from '../program/index.ts';
import { layOutSystem } from './layout.ts';
import { reachableSteps } from './reachable-steps.ts';

/**
 * Where a role creates an operation that it never performs (P13): the first one on any way through
 * the role, whatever its operations return. `undefined` where none is found.
 */
export function floatingPlace(program: Program, role: number): Position | undefined {
  const steps = new Unfolding(program, layOutSystem(program).machine);
  for (const step of reachableSteps(steps, program, role)) {
    if (steps.misuse(step)?.rule === 'floating-op') return steps.position(step);
  }
  return undefined;
}
