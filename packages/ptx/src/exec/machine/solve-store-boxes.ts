// The boxes of tensor maps that a kernel only stores through: the bytes that it wrote to the source
// of the store before, as far as they lie behind one another.
import { isGlobal, offsetOf, rankOf } from '../../steps/step.ts';
import type { Ranges, Step } from '../../steps/step.ts';
import type { SharedVariable } from '../../steps/names.ts';

/** A copy out of shared memory whose bytes the launch does not say. */
export interface UnsizedStore {
  readonly at: number;
  readonly map: string;
  readonly source: number;
  /** Boxes of the map that it moves. */
  readonly boxes: number;
  /** Whether the map lies where a copy can read it; else the copy is a fault by itself. */
  readonly isReadable: boolean;
}

/** A box is a multiple of this, by the rules of tensor maps. */
const BOX_ALIGN = 16;
const MAX_BOX = 1 << 20;

/** Where bytes were written, in order and without gaps between neighbors. */
function writtenIn(steps: readonly Step[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  const add = (list: Ranges): void => {
    for (let index = 0; index + 1 < list.length; index += 2)
      if (!isGlobal(list[index]!)) ranges.push([list[index]!, list[index + 1]!]);
  };
  for (const step of steps) if (step.op === 'access' || step.op === 'copy') add(step.writes);
  ranges.sort((one, other) => one[0] - other[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** The end of the variable that an address lies in. */
function variableEnd(variables: readonly SharedVariable[], address: number): number {
  const offset = offsetOf(address);
  const own = variables.find((each) => offset >= each.offset && offset < each.offset + each.size);
  return own === undefined ? Infinity : address - offset + own.offset + own.size;
}

/**
 * The boxes of maps that copies leave shared memory through.
 *
 * @returns Bytes by map; empty where one of them has no box, or several.
 */
export function solveStoreBoxes(
  stores: readonly UnsizedStore[],
  steps: readonly Step[],
  variables: readonly SharedVariable[],
): ReadonlyMap<string, number> {
  const written = writtenIn(steps);
  const sources = [...new Set(stores.map(({ source }) => source))].sort((a, b) => a - b);
  const boxes = new Map<string, number>();
  for (const { map, source, boxes: count } of stores) {
    const region = written.find(([from, to]) => from <= source && source < to);
    const next = sources.find((each) => each > source && rankOf(each) === rankOf(source));
    const end = Math.min(region?.[1] ?? 0, next ?? Infinity, variableEnd(variables, source));
    const bytes = (end - source) / count;
    const isBox = bytes > 0 && bytes <= MAX_BOX && bytes % BOX_ALIGN === 0;
    if (!isBox) return new Map();
    // Of several stores through a map the least is all that each of them can have.
    boxes.set(map, Math.min(bytes, boxes.get(map) ?? Infinity));
  }
  return boxes;
}
