// The boxes of tensor maps that a launch does not give, from the bytes that the kernel expects.
// Each mbarrier is an equation: copies through each map times its box are the bytes expected.
import type { Step } from '../../steps/step.ts';
import type { UnsizedCopy } from './machine.ts';

/** A box is a multiple of this, by the rules of tensor maps. */
const BOX_ALIGN = 16;
const MAX_BOX = 1 << 20;
/** The most maps that are solved for. */
const MAX_MAPS = 64;

/** `counts[map]` times the boxes, summed over the maps, is `bytes`. */
interface Equation {
  readonly counts: ReadonlyMap<string, number>;
  readonly bytes: number;
}

/**
 * Solves for the boxes.
 *
 * @returns Bytes by map; `null` where no boxes, or more than one choice of them, fit.
 */
export function solveBoxes(
  copies: readonly UnsizedCopy[],
  steps: readonly Step[],
): ReadonlyMap<string, number> | null {
  const maps = new Set(copies.map(({ map }) => map));
  if (maps.size > MAX_MAPS) return null;
  const equations = equationsOf(copies, steps);
  const boxes = new Map<string, number>();
  if (!substitute(equations, boxes)) return null;
  for (const map of maps) {
    if (boxes.has(map)) continue;
    // Several maps on one barrier: boxes that lie behind one another fill the space between them.
    const distance = distanceOf(map, copies);
    if (distance === null) continue;
    boxes.set(map, distance);
    if (!substitute(equations, boxes)) return null;
  }
  const isSolved = boxes.size === maps.size && equations.every((each) => isMet(each, boxes));
  return isSolved && [...boxes.values()].every(isBox) ? boxes : null;
}

function isBox(bytes: number): boolean {
  return Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_BOX && bytes % BOX_ALIGN === 0;
}

function isMet({ counts, bytes }: Equation, boxes: ReadonlyMap<string, number>): boolean {
  let sum = 0;
  for (const [map, count] of counts) sum += count * (boxes.get(map) ?? 0);
  return sum === bytes;
}

/** Solves equations with one map left until none is; whether the boxes are possible. */
function substitute(equations: readonly Equation[], boxes: Map<string, number>): boolean {
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const { counts, bytes } of equations) {
      const open = [...counts].filter(([map]) => !boxes.has(map));
      if (open.length !== 1) continue;
      const [[map, count]] = open as [[string, number]];
      let left = bytes;
      for (const [other, times] of counts) left -= times * (boxes.get(other) ?? 0);
      if (!isBox(left / count)) return false;
      boxes.set(map, left / count);
      isMoving = true;
    }
  }
  return true;
}

/** The equation of each mbarrier over the whole run. */
function equationsOf(copies: readonly UnsizedCopy[], steps: readonly Step[]): Equation[] {
  const expected = new Map<number, number>();
  const add = (barrier: number, bytes: number): void =>
    void expected.set(barrier, (expected.get(barrier) ?? 0) + bytes);
  for (const step of steps) {
    if (step.op === 'arrive') add(step.barrier, step.expect);
    else if (step.op === 'expect') add(step.barrier, step.bytes);
    else if (step.op === 'complete') add(step.barrier, -step.bytes);
    else if (step.op === 'copy')
      for (const { barrier, bytes } of step.signals) add(barrier, -bytes);
  }
  const counts = new Map<number, Map<string, number>>();
  for (const { barrier, map, boxes } of copies) {
    let ofBarrier = counts.get(barrier);
    if (ofBarrier === undefined) counts.set(barrier, (ofBarrier = new Map()));
    ofBarrier.set(map, (ofBarrier.get(map) ?? 0) + boxes);
  }
  return [...counts].map(([barrier, ofBarrier]) => ({
    counts: ofBarrier,
    bytes: expected.get(barrier) ?? 0,
  }));
}

/** The least distance from a destination of a map to the next destination of any. */
function distanceOf(map: string, copies: readonly UnsizedCopy[]): number | null {
  if (copies.some((copy) => copy.map === map && copy.boxes > 1)) return null;
  const all = [...new Set(copies.map(({ destination }) => destination))].sort((a, b) => a - b);
  const own = new Set(copies.filter((copy) => copy.map === map).map((copy) => copy.destination));
  let least = Infinity;
  for (const [index, destination] of all.entries())
    if (own.has(destination)) least = Math.min(least, (all[index + 1] ?? Infinity) - destination);
  return isBox(least) ? least : null;
}
