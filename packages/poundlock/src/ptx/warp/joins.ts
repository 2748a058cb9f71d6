// Which joins of lanes are steps: those before which a lane did something that others may observe.
import type { Instruction } from '../text/module.ts';

/**
 * Whether a warp executes an instruction as one: each of its lanes comes to it before any goes on.
 * Thread barriers are apart: some do not wait, and those that do are joins by themselves.
 */
export function isCollective({ parts }: Instruction): boolean {
  return parts.includes('aligned') && parts.includes('sync') && !/^bar(rier)?$/.test(parts[0]!);
}

/** What lanes of a warp have done since they were joined. */
export class Joins {
  /** Lanes that did, or know of, something that not all lanes know of. */
  #unjoined = 0;
  #lastMask = 0;
  #lastSteps = -1;

  /** A step by some lanes. */
  note(lanes: number): void {
    this.#unjoined |= lanes;
  }

  /** All lanes are joined. */
  clear(): void {
    this.#unjoined = 0;
  }

  /** Whether a join of some lanes, after a number of steps, brings one of them news. */
  isNeeded(mask: number, steps: number): boolean {
    const isRepeated = this.#lastSteps === steps && this.#lastMask === mask;
    const isAlone = (mask & (mask - 1)) === 0;
    return !isAlone && !isRepeated && (this.#unjoined & mask) !== 0;
  }

  /** A join of some lanes that is a step; whether it joins all that live or did something. */
  join(mask: number, live: number, steps: number): boolean {
    this.#lastMask = mask;
    this.#lastSteps = steps;
    if (((live | this.#unjoined) & ~mask) === 0) {
      this.#unjoined = 0;
      return true;
    }
    this.#unjoined |= mask;
    return false;
  }

  /** Whether a step of these lanes is one of all that live or did something. */
  isOfAll(mask: number, live: number): boolean {
    return ((live | this.#unjoined) & ~mask) === 0;
  }
}
