// The clock of the SMs during a run: it depends on what they do, and memory does not follow it.
import { atMegahertz, type Costs } from './model.ts';

/** How often the clock follows the load, in cycles. */
const REVIEW_CYCLES = 8192;

/** The clock of a run, and how long its cycles took. */
export class Clock {
  readonly #costs: Costs;
  /** The share of the chip's SMs that the launch fills. */
  readonly #filled: number;
  #megahertz: number;
  #since = 0;
  #microseconds = 0;
  #reviewAt = Infinity;
  #busyBefore = 0;
  /** Whether the tensor core has worked. */
  isHot = false;

  /** The part of the time of tensor cores in which they do not wait for operands. */
  readonly #multiplyingShare: number;

  constructor(costs: Costs, ctas: number, multiplyingShare = 1) {
    this.#costs = costs;
    this.#multiplyingShare = multiplyingShare;
    this.#megahertz = costs.idleMegahertz;
    this.#filled = Math.min(1, ctas / costs.multiprocessors);
  }

  /** Whether tensor-core work at `time` changes the clock. */
  isDue(time: number): boolean {
    return !this.isHot || time >= this.#reviewAt;
  }

  /** The costs from `time` on, when the tensor core has worked for `busyCycles` in all. */
  follow(time: number, busyCycles: number): Costs {
    const { idleMegahertz, tensorMegahertz, loadMegahertz } = this.#costs;
    const busy = this.isHot ? (busyCycles - this.#busyBefore) / (time - this.#since) : 0;
    const load = (Math.min(busy, 1) * this.#multiplyingShare) ** 2 * this.#filled;
    this.#microseconds = this.microseconds(time);
    this.#since = time;
    this.#busyBefore = busyCycles;
    this.#reviewAt = time + REVIEW_CYCLES;
    this.isHot = true;
    // Without idle cycles to lose, the clock is one that was asked for.
    const isFixed = idleMegahertz === tensorMegahertz;
    this.#megahertz = tensorMegahertz - (isFixed ? 0 : loadMegahertz * load);
    return atMegahertz(this.#costs, this.#megahertz);
  }

  /** When cycle `time` of the run is, in microseconds; 0 where cycles have no duration. */
  microseconds(time: number): number {
    if (this.#megahertz === 0) return 0;
    return this.#microseconds + (time - this.#since) / this.#megahertz;
  }
}
