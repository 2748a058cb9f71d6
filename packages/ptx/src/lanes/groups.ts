// Groups of asynchronous work, which belong to the thread that commits them.
import type { AsyncUnit, Step } from '../steps/step.ts';
import { makersOf } from './mask.ts';

/** The lanes of a warp that ever issue work on a unit. */
export type IssuersOf = (unit: AsyncUnit) => number;

/** Finds the lanes that issue work on each unit. */
export function issuersIn(steps: readonly Step[], all: number): IssuersOf {
  const issuers = new Map<AsyncUnit, number>();
  for (const step of steps)
    if (step.op === 'use')
      issuers.set(step.unit, (issuers.get(step.unit) ?? 0) | makersOf(step, all));
  return (unit) => issuers.get(unit) ?? 0;
}

/**
 * The units whose groups are not the same for all lanes that issue work on them: one of these is
 * missing where others commit a group or wait for one.
 */
export function unevenUnits(
  steps: readonly Step[],
  all: number,
  issuersOf: IssuersOf,
): ReadonlySet<AsyncUnit> {
  const uneven = new Set<AsyncUnit>();
  for (const step of steps) {
    const unit = closedBy(step);
    if (unit !== null && (issuersOf(unit) & ~makersOf(step, all)) !== 0) uneven.add(unit);
  }
  return uneven;
}

/** The unit whose work a step closes, reports or waits for. */
function closedBy(step: Step): AsyncUnit | null {
  if (step.op === 'commit') return 'tcgen05';
  if (step.op === 'asyncArrive') return 'cpAsync';
  return step.op === 'commitGroup' || step.op === 'waitGroup' ? step.unit : null;
}

/** The unit that a step issues work on, closes or waits for. */
export function unitOf(step: Step): AsyncUnit | null {
  return step.op === 'use' ? step.unit : closedBy(step);
}
