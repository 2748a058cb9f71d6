// The tensor core of an SM: it takes the work of all roles in the order in which it was issued.
import type { Costs } from './model.ts';

/**
 * A queue of instructions. Each role may have a few of them in it; to issue one more it has to
 * wait, so that roles which share the unit take turns and then drift apart.
 */
export class TensorCore {
  readonly #costs: Costs;
  #free = 0;
  /** By role: when its latest instructions end, as a ring with the oldest at `#next`. */
  readonly #ends: (Float64Array | undefined)[] = [];
  readonly #next: number[] = [];

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** When a role can issue one more instruction. */
  roomAt(role: number): number {
    const ends = this.#ends[role];
    return ends === undefined ? 0 : ends[this.#next[role]!]!;
  }

  /** When an instruction of so many cycles ends that is issued now. */
  issue(time: number, role: number, cycles: number): number {
    const { mmaStartCycles, mmaOverheadCycles, mmaQueueDepth } = this.#costs;
    const start = Math.max(time + mmaStartCycles, this.#free);
    const end = start + cycles + mmaOverheadCycles;
    this.#free = end;
    const ends = (this.#ends[role] ??= new Float64Array(mmaQueueDepth));
    const next = this.#next[role] ?? 0;
    ends[next] = end;
    this.#next[role] = (next + 1) % mmaQueueDepth;
    return end;
  }

  /** When everything that a role has issued ends. */
  doneAt(role: number): number {
    return Math.max(0, ...(this.#ends[role] ?? []));
  }
}
