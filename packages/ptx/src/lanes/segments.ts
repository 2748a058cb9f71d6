// The steps of a warp between two joins of all its lanes, and bundles of steps within them.
import type { Step } from '../steps/step.ts';
import { targetOf } from './effects.ts';
import { makersOf } from './mask.ts';

/** Steps `[from, to)` of a warp between two steps that join all lanes. */
export interface Segment {
  readonly from: number;
  readonly to: number;
}

/** Whether a step joins all lanes of its warp that there still are. */
export function joinsAll(step: Step): boolean {
  return step.isJoint === true || (step.op === 'join' && step.lanes === undefined);
}

/** The segments of a list of steps that have a step each. */
export function segmentsOf(steps: readonly Step[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (let at = 0; at <= steps.length; at++) {
    if (at < steps.length && !joinsAll(steps[at]!)) continue;
    if (at > from) segments.push({ from, to: at });
    from = at + 1;
  }
  return segments;
}

/** Whether two steps signal at the same barriers, or both at none. */
function haveOneTarget(one: Step, other: Step): boolean {
  return targetOf(one) === targetOf(other);
}

/** The steps that several lanes made by one execution of an instruction. */
export interface Bundle {
  /** The step after its last one. */
  readonly to: number;
  readonly lanes: number;
  /** Whether all of them signal at the same barriers, or none of them signals. */
  readonly hasOneTarget: boolean;
}

/**
 * The bundle that begins with a step, up to the end of a segment. Lanes that wait at a named
 * barrier hold up no others that come to it by themselves.
 */
export function bundleAt(steps: readonly Step[], from: number, end: number, all: number): Bundle {
  const first = steps[from]!;
  let lanes = makersOf(first, all);
  let hasOneTarget = true;
  let to = from + 1;
  for (; to < end && first.op !== 'named'; to++) {
    const next = steps[to]!;
    const makers = makersOf(next, all);
    if (next.at !== first.at || next.op !== first.op || (makers & lanes) !== 0) break;
    lanes |= makers;
    hasOneTarget &&= haveOneTarget(first, next);
  }
  return { to, lanes, hasOneTarget };
}
