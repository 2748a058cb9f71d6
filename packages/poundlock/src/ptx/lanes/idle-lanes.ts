// Lanes that only wait for mbarriers, beside others that wait with them and act.
import type { Step } from '../steps/step.ts';
import { makersOf } from './mask.ts';
import type { Segment } from './segments.ts';

/**
 * The steps of a segment without the waits of lanes that do nothing else in it, where others make
 * the same waits: such lanes keep up with them, in practice. `null` if there are none.
 */
export function withoutIdle(
  steps: readonly Step[],
  { from, to }: Segment,
  all: number,
): Step[] | null {
  let acting = 0;
  for (let at = from; at < to; at++) {
    const step = steps[at]!;
    if (step.op !== 'join' && step.op !== 'wait') acting |= makersOf(step, all);
  }
  let isChanged = false;
  const changed = steps.slice(from, to).map((step): Step => {
    const makers = makersOf(step, all);
    const lanes = makers & acting;
    if (step.op !== 'wait' || lanes === 0 || lanes === makers) return step;
    isChanged = true;
    return { ...step, lanes };
  });
  return isChanged ? changed : null;
}
