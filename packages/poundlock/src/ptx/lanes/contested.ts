// Cells of memory that several lanes of a warp touch in a segment, one of them to write.
import { lowest } from './mask.ts';
import { partOf } from './touches.ts';
import type { Touch } from './touches.ts';

/** The largest cell is 2 to this power bytes. */
const LARGEST = 4;

/** Cells of equal size, to whose bounds all touches of a segment keep. */
export class Contested {
  readonly #shift: number;
  readonly #cells: ReadonlySet<number>;

  private constructor(shift: number, cells: ReadonlySet<number>) {
    this.#shift = shift;
    this.#cells = cells;
  }

  /** The contested cells of some touches; `null` if there are none. */
  static of(touches: readonly Touch[]): Contested | null {
    // One instruction of a warp is one access: who of its lanes is the last does not matter.
    const first = touches[0]?.at;
    if (touches.every(({ at }) => at === first)) return null;
    if (!touches.some(({ isWrite }) => isWrite)) return null;
    let bits = 0;
    for (const { ranges } of touches) for (const bound of ranges) bits |= bound;
    const shift = bits === 0 ? LARGEST : Math.min(LARGEST, lowest(bits));
    const owners = new Map<number, number>();
    const cells = new Set<number>();
    for (const { ranges, lanes, isWrite } of touches) {
      for (const [index, lane] of lanes.entries()) {
        const own = partOf(ranges, index, lanes.length);
        for (let range = 0; range < own.length; range += 2) {
          for (let cell = own[range]! >>> shift; cell < own[range + 1]! >>> shift; cell++) {
            const state = owners.get(cell) ?? UNTOUCHED;
            const next = touched(state, lane, isWrite);
            if (next !== state) owners.set(cell, next);
            if (next === BOTH) cells.add(cell);
          }
        }
      }
    }
    return cells.size === 0 ? null : new Contested(shift, cells);
  }

  /** Calls `visit` for each contested cell of a range. */
  forEach(from: number, to: number, visit: (cell: number) => void): void {
    for (let cell = from >>> this.#shift; cell < to >>> this.#shift; cell++)
      if (this.#cells.has(cell)) visit(cell);
  }
}

const UNTOUCHED = -1;
/** Several lanes read a cell, or several touch it and one writes. */
const SHARED = 64;
const BOTH = 65;
/** Added to the lane that alone touches a cell, if it writes. */
const WRITTEN = 32;

function touched(state: number, lane: number, isWrite: boolean): number {
  if (state === BOTH) return BOTH;
  if (state === UNTOUCHED) return lane + (isWrite ? WRITTEN : 0);
  if (state === SHARED) return isWrite ? BOTH : SHARED;
  if ((state & 31) === lane) return isWrite ? lane + WRITTEN : state;
  return isWrite || state >= WRITTEN ? BOTH : SHARED;
}
