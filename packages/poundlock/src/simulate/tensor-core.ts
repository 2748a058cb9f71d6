// Model of the tensor core of an SM, which executes the work of all roles in the order of issue.
import type { Costs } from './model.ts';

/**
 * A queue with a limit for each role: a role waits to issue more while too much of its work is
 * left, so that roles that share the unit take turns.
 */
export class TensorCore {
  readonly #costs: Costs;
  /** When its work ends. */
  freeAt = 0;
  /** By role: when its latest instruction ends. */
  readonly #ends: number[] = [];
  /** Cycles in which it worked. */
  busyCycles = 0;

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** When a role can issue one more instruction. */
  roomAt(role: number): number {
    return this.doneAt(role) - this.#costs.mmaQueueCycles;
  }

  /** When an instruction of `cycles` that is issued at `time` ends. */
  issue(time: number, role: number, cycles: number): number {
    const { mmaStartCycles, mmaOverheadCycles } = this.#costs;
    const start = Math.max(time + mmaStartCycles, this.freeAt);
    const end = start + cycles + mmaOverheadCycles;
    this.freeAt = end;
    this.busyCycles += cycles;
    this.#ends[role] = end;
    return end;
  }

  /** When all instructions that a role has issued end. */
  doneAt(role: number): number {
    return this.#ends[role] ?? 0;
  }
}
