// The lanes of a warp that do not go together.
import type { Fiber } from './fibers.ts';
import { Joins } from './joins.ts';
import type { PartedLanes } from './parted-lanes.ts';

/** Lanes that have parted from others of their warp. */
export class Apart {
  /** Lanes that wait in an exchange for lanes which went another way; `null`: none do. */
  parted: PartedLanes | null = null;
  /** Lanes that run apart from those that have their turn. */
  readonly fibers: Fiber[] = [];
  joins = new Joins();
  #isHeld = false;
  #isForced = false;

  /** Whether an instruction of the whole warp is executed by some of its lanes alone. */
  get isForced(): boolean {
    return this.#isForced;
  }

  /** Whether an exchange was not executed. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** An exchange is not executed, because lanes that take part run apart. */
  hold(): void {
    this.#isHeld = true;
  }

  /** The exchange that was not executed is tried again. */
  tryAgain(): void {
    this.#isHeld = false;
  }

  /** Some lanes execute the next instruction of the whole warp alone, unless said otherwise. */
  force(isForced = true): void {
    this.#isForced = isForced;
  }

  /** Whether that was said of this instruction. */
  takeForced(): boolean {
    const isForced = this.#isForced;
    this.#isForced = false;
    return isForced;
  }
}
