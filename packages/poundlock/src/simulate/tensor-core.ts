// Model of the tensor core of an SM, which executes the work of all roles in the order of issue.
import type { Costs } from './model.ts';

/**
 * A queue with a limit for each role: a role waits to issue more while too much of its work is
 * left, so that roles that share the unit take turns.
 */
export class TensorCore {
  readonly #costs: Costs;
  /** By part: when its work ends. */
  readonly #freeAt: Float64Array;
  /** When all of its work ends. */
  freeAt = 0;
  /** By role: when its latest instruction ends. */
  readonly #ends: number[] = [];
  /** Cycles in which it worked. */
  busyCycles = 0;

  /** A part for each quarter of the SM, where the roles are warps; else one for warpgroups. */
  constructor(costs: Costs, parts = 1) {
    this.#costs = costs;
    this.#freeAt = new Float64Array(parts);
  }

  get parts(): number {
    return this.#freeAt.length;
  }

  /** When a role can issue one more instruction. */
  roomAt(role: number): number {
    return this.doneAt(role) - this.#costs.mmaQueueCycles;
  }

  /** When an instruction of `cycles` that is issued at `time` to a part ends. */
  issue(time: number, role: number, cycles: number, warp = 0): number {
    const part = warp % this.#freeAt.length;
    const { mmaStartCycles, mmaOverheadCycles } = this.#costs;
    const start = Math.max(time + mmaStartCycles, this.#freeAt[part]!);
    const end = start + cycles + mmaOverheadCycles;
    this.#freeAt[part] = end;
    this.freeAt = Math.max(this.freeAt, end);
    this.busyCycles += cycles / this.#freeAt.length;
    this.#ends[role] = end;
    return end;
  }

  /** When all instructions that a role has issued end. */
  doneAt(role: number): number {
    return this.#ends[role] ?? 0;
  }
}
