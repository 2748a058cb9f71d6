// Poll times of a waiting role: a try_wait loop sees a completed phase only at its next poll.
import type { Costs } from './model.ts';

/** Threads of a warp: a role of whole warps sleeps in a wait until it is woken. */
const WARP_LANES = 32;

/** Whether a role sleeps in a wait; a lane of a diverged warp polls. */
export function canSleep({ lanes }: { readonly lanes: number }): boolean {
  return lanes % WARP_LANES === 0;
}

/**
 * Polls come in bursts: measured waits end 157, 200, 244 or 288 cycles after the first poll, and
 * then the pattern repeats.
 */
export class Polling {
  readonly #pause: number;
  readonly #interval: number;
  readonly #period: number;

  constructor({ pollPauseCycles, pollIntervalCycles, pollsPerBurst }: Costs) {
    this.#pause = pollPauseCycles;
    this.#interval = pollIntervalCycles;
    this.#period = pollPauseCycles + (pollsPerBurst - 1) * pollIntervalCycles;
  }

  /** Delays `times[role]` to the next poll of a wait whose first one was at `firsts[role]`. */
  delay(times: Float64Array, role: number, firsts: Float64Array): void {
    const first = firsts[role]!;
    const waited = times[role]! - first;
    if (waited <= 0) times[role] = first;
    else if (this.#period > 0) times[role] = first + this.#pollAfter(waited);
  }

  #pollAfter(waited: number): number {
    const start = Math.floor(waited / this.#period) * this.#period;
    if (waited <= start) return start;
    const late = waited - start - this.#pause;
    if (late <= 0) return start + this.#pause;
    return start + this.#pause + Math.ceil(late / this.#interval) * this.#interval;
  }
}
