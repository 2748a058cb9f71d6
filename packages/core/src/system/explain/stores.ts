// Stores of kernels as built: one that is compared with others is several operations.
import { positionKey, type Position } from '../../base/index.ts';
import { OpKind } from '../../op/index.ts';
import type { StepId } from '../../program/index.ts';
import type { System } from '../system.ts';

/** The most operations that one access becomes. */
const MAX_PARTS = 64;

/** Whether a read is a part of a store, which stands for what the store is compared with. */
export function isOfStore(system: System, step: StepId): boolean {
  const place = step < 0 ? undefined : system.steps.position(step);
  const isBuilt = system.program.kernel.dialect === 'ptx';
  if (!isBuilt || place === undefined || system.instruction(step)?.kind !== OpKind.read)
    return false;
  let next = step;
  for (let count = 0; count < MAX_PARTS; count++) {
    next = system.steps.follow(next, 0);
    const instruction = system.steps.instruction(next);
    const at = instruction === null ? undefined : system.steps.position(next);
    if (at === undefined || !isSame(place, at)) return false;
    if (instruction!.kind === OpKind.write) return true;
    if (instruction!.kind !== OpKind.read) return false;
  }
  return false;
}

function isSame(one: Position, other: Position): boolean {
  return positionKey(one) === positionKey(other) && one.ptx?.line === other.ptx?.line;
}
