// Lanes that only wait for mbarriers, beside others that wait with them and act.
import type { Step } from '../steps/step.ts';
import type { IssuersOf } from './groups.ts';
import { makersOf } from './mask.ts';
import type { Segment } from './segments.ts';

/**
 * The steps of a segment without the waits of lanes that do nothing else in it, where others make
 * the same waits: such lanes keep up with them, in practice. `null` if there are none. What lanes
 * do with groups of a unit to which they issue nothing is nothing. Who waits for an mbarrier that
 * the segment initializes has to know of it.
 */
export function withoutIdle(
  steps: readonly Step[],
  { from, to }: Segment,
  all: number,
  issuersOf: IssuersOf,
): Step[] | null {
  const part = (step: Step): number => {
    const makers = makersOf(step, all);
    const isOfGroups = step.op === 'commitGroup' || step.op === 'waitGroup';
    return isOfGroups ? makers & issuersOf(step.unit) : makers;
  };
  let acting = 0;
  for (let at = from; at < to; at++) {
    const step = steps[at]!;
    if (step.op !== 'join' && step.op !== 'wait') acting |= part(step);
  }
  let isChanged = false;
  const initialized = new Set<number>();
  const changed = steps.slice(from, to).map((step): Step => {
    if (step.op === 'init') initialized.add(step.barrier);
    if (step.op === 'wait' && initialized.has(step.barrier)) return step;
    const makers = makersOf(step, all);
    const lanes = step.op === 'wait' ? makers & acting : part(step);
    if (lanes === 0 || lanes === makers) return step;
    isChanged = true;
    return { ...step, lanes };
  });
  return isChanged ? changed : null;
}
