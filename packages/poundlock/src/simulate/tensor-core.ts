// Model of the tensor core of an SM, which executes the work of all roles in the order of issue.
import type { Costs } from './model.ts';

/**
 * A queue of instructions with a limit for each role: a role waits to issue one more, so that roles
 * that share the unit take turns and then drift apart.
 */
export class TensorCore {
  readonly #costs: Costs;
  #free = 0;
  /** By role: when its latest instructions end, as a ring with the oldest at `#next`. */
  readonly #ends: (Float64Array | undefined)[] = [];
  readonly #next: number[] = [];
  /** Cycles in which it worked. */
  busyCycles = 0;

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** When it is free of all work that was issued so far. */
  get free(): number {
    return this.#free;
  }

  /** When a role can issue one more instruction. */
  roomAt(role: number): number {
    const ends = this.#ends[role];
    return ends === undefined ? 0 : ends[this.#next[role]!]!;
  }

  /** When an instruction of `cycles` that is issued at `time` ends. */
  issue(time: number, role: number, cycles: number): number {
    const { mmaStartCycles, mmaOverheadCycles, mmaQueueDepth } = this.#costs;
    const start = Math.max(time + mmaStartCycles, this.#free);
    const end = start + cycles + mmaOverheadCycles;
    this.#free = end;
    this.busyCycles += cycles;
    const ends = (this.#ends[role] ??= new Float64Array(mmaQueueDepth));
    const next = this.#next[role] ?? 0;
    ends[next] = end;
    this.#next[role] = (next + 1) % mmaQueueDepth;
    return end;
  }

  /** When all instructions that a role has issued end. */
  doneAt(role: number): number {
    return Math.max(0, ...(this.#ends[role] ?? []));
  }
}
