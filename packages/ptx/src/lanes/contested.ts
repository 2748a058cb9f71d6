// Cells of memory that several lanes of a warp touch in a segment, one of them to write.
import { lowest } from './mask.ts';
import { lengthOfEach } from './touches.ts';
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
    const states = STATES.fresh();
    const cells = new Set<number>();
    for (const { ranges, lanes, isWrite } of touches) {
      const each = lengthOfEach(ranges, lanes.length);
      for (let index = 0; index < lanes.length; index++) {
        const lane = lanes[index]!;
        const first = each === ranges.length ? 0 : index * each;
        for (let range = first; range < first + each; range += 2) {
          const end = ranges[range + 1]! >>> shift;
          for (let cell = ranges[range]! >>> shift; cell < end; cell++) {
            const state = states.get(cell);
            const next = touched(state, lane, isWrite);
            if (next === state) continue;
            states.set(cell, next);
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

/** The state of a cell that no lane has touched. */
const UNTOUCHED = 127;
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

/** Cells of one page, whose states are in one array. */
const PAGE_BITS = 14;
/** Bits of a state; above them is the number of the segment that it is of. */
const STATE_BITS = 7;
/** Segments until the numbers begin again. */
const MAX_SEGMENTS = 2 ** (31 - STATE_BITS);

/** The states of cells in one segment; those of the segment before count as untouched. */
class States {
  #pages = new Map<number, Int32Array>();
  #segment = 0;

  fresh(): this {
    if (++this.#segment >= MAX_SEGMENTS) {
      this.#pages = new Map();
      this.#last = -1;
      this.#segment = 1;
    }
    return this;
  }

  get(cell: number): number {
    const stamped = this.#pageOf(cell)[cell & (2 ** PAGE_BITS - 1)]!;
    return stamped >>> STATE_BITS === this.#segment ? stamped & (2 ** STATE_BITS - 1) : UNTOUCHED;
  }

  set(cell: number, state: number): void {
    this.#pageOf(cell)[cell & (2 ** PAGE_BITS - 1)] = (this.#segment << STATE_BITS) | state;
  }

  #last = -1;
  #page: Int32Array = new Int32Array(0);

  #pageOf(cell: number): Int32Array {
    const number = cell >>> PAGE_BITS;
    if (number === this.#last) return this.#page;
    let page = this.#pages.get(number);
    if (page === undefined) this.#pages.set(number, (page = new Int32Array(2 ** PAGE_BITS)));
    this.#last = number;
    this.#page = page;
    return page;
  }
}

const STATES = new States();
