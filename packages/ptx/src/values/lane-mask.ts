// Masks of the lanes of a warp: a bit for each.

/** The lowest lane of a mask. */
export function firstLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** How many lanes a mask has. */
export function laneCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The lanes of a mask in order. */
export function lanesOf(mask: number): number[] {
  const lanes: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) lanes.push(firstLane(rest));
  return lanes;
}
