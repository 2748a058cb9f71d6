// Which lane touches which bytes: the ranges of a step, lane by lane.
import { offsetOf, TENSOR_MEMORY } from '../steps/step.ts';
import type { AccessKind, AccessStep, AsyncUnit, Ranges, Step } from '../steps/step.ts';
import { lanesOf, makersOf } from './mask.ts';

const NONE: readonly number[] = [];

/** Bytes that lanes of a warp touch in one step. */
export interface Touch {
  /** The number of the step that it counts from. */
  readonly at: number;
  /** The instruction. */
  readonly place: number;
  readonly lanes: readonly number[];
  readonly ranges: Ranges;
  readonly isWrite: boolean;
  readonly kind: AccessKind;
  /** Whether it is the issue of asynchronous work, which touches them at some time later. */
  readonly isIssue: boolean;
  /** Whether unknown data decides that it happens, or where. */
  readonly isPossible: boolean;
  /** Two numbers for each range that identify what is stored; empty where they are not known. */
  readonly values: readonly number[];
  /** Beside them: how what is stored is computed from the place of the block. */
  readonly stored?: AccessStep['stored'];
}

/**
 * How many numbers of some ranges each of several lanes has: they are in the order of the lanes.
 * Where unknown data decides what is touched, each lane may touch all.
 */
export function lengthOfEach(ranges: readonly unknown[], lanes: number): number {
  const each = ranges.length / lanes;
  return Number.isInteger(each) && each % 2 === 0 ? each : ranges.length;
}

/** The part of some ranges that one of several lanes has. */
export function partOf<T>(ranges: readonly T[], index: number, lanes: number): readonly T[] {
  const each = lengthOfEach(ranges, lanes);
  return each === ranges.length ? ranges : ranges.slice(index * each, (index + 1) * each);
}

/** The ranges of a step that some of the lanes that make it have. */
export function rangesOfLanes<T>(ranges: readonly T[], makers: number, some: number): T[] {
  const lanes = lanesOf(makers);
  return lanes.flatMap((lane, index) =>
    (some & (1 << lane)) === 0 ? [] : [...partOf(ranges, index, lanes.length)],
  );
}

/** What a step touches as it is made. */
export function touchesOf(step: Step, at: number, all: number): Touch[] {
  if (step.op === 'last') return step.steps.flatMap((each) => touchesOf(each, at, all));
  const makers = makersOf(step, all);
  const isPossible = step.op === 'access' && step.isPossible === true;
  // What lanes copy together is one copy, of the first of them.
  const isOne = step.op === 'use' && step.unit === 'bulk';
  const lanes = lanesOf(isOne ? makers & -makers : makers);
  const base = { at, place: step.at, lanes, values: NONE, isPossible } as const;
  const touches: Touch[] = [];
  const add = (ranges: Ranges, more: Omit<Touch, keyof typeof base | 'ranges'>): void => {
    if (ranges.length > 0 && offsetOf(ranges[0]!) < TENSOR_MEMORY)
      touches.push({ ...base, ranges, ...more });
  };
  if (step.op === 'access') {
    const { kind } = step;
    add(step.reads, { kind, isWrite: false, isIssue: false });
    add(step.writes, { kind, isWrite: true, isIssue: false });
    const last = touches.at(-1);
    if (last?.isWrite === true) {
      const { values, stored } = step;
      touches[touches.length - 1] = { ...last, values, ...(stored && { stored }) };
    }
  }
  if (step.op === 'use' || step.op === 'copy') {
    add(step.reads, { kind: 'plain', isWrite: false, isIssue: true });
    add(step.writes, { kind: 'plain', isWrite: true, isIssue: true });
  }
  return touches;
}

/**
 * What asynchronous work of lanes has touched once a wait for its group is over, by the number of
 * the wait: work that ends with an mbarrier is a matter between the unit and the lanes.
 */
export function touchesOfGroups(steps: readonly Step[], all: number): Map<number, Touch[]> {
  const found = new Map<number, Touch[]>();
  const open = new Map<AsyncUnit, { touches: Touch[]; groups: Touch[][] }>();
  for (const [at, step] of steps.entries()) {
    if (step.op !== 'use' && step.op !== 'commitGroup' && step.op !== 'waitGroup') continue;
    let queue = open.get(step.unit);
    if (queue === undefined) open.set(step.unit, (queue = { touches: [], groups: [] }));
    if (step.op === 'use') queue.touches.push(...touchesOf(step, at, all));
    else if (step.op === 'commitGroup') {
      queue.groups.push(queue.touches);
      queue.touches = [];
    } else {
      const over = queue.groups.splice(0, Math.max(0, queue.groups.length - step.pending)).flat();
      if (over.length > 0)
        found.set(
          at,
          over.map((each) => ({ ...each, at, isIssue: false })),
        );
    }
  }
  return found;
}
