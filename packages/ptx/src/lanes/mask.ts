// Masks of lanes.
import type { Step } from '../steps/step.ts';

/** Lanes of a warp. */
export const LANES = 32;

/** The lowest lane of a mask. */
export function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** How many lanes a mask has. */
export function count(mask: number): number {
  let lanes = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) lanes++;
  return lanes;
}

/** The lanes of the mask of the last call: mostly that of the whole warp. */
const latest: { mask: number; lanes: readonly number[] } = { mask: 0, lanes: [] };

/** The lanes of a mask in order. */
export function lanesOf(mask: number): readonly number[] {
  if (mask === latest.mask) return latest.lanes;
  const lanes: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) lanes.push(lowest(rest));
  latest.mask = mask;
  latest.lanes = lanes;
  return lanes;
}

/** The lanes of a warp with a number of threads. */
export function allOf(threads: number): number {
  return threads >= LANES ? -1 : 2 ** threads - 1;
}

/** The lanes that make a step, in a warp with the lanes `all`. */
export function makersOf({ lanes }: Step, all: number): number {
  return lanes ?? all;
}
