// When a waiting role sees a completed phase: at its next poll, or when it is woken.
import type { WaitStyle } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';

/** The styles of waiting by number. */
export const STYLES = ['diverged', 'lane', 'warp', 'group'] as const satisfies WaitStyle[];
/** The number of a style. */
export const styleNumber = (style: WaitStyle): number => STYLES.indexOf(style);

/** From one poll of a role to the next; a role without a pause sleeps until it is woken. */
interface Rhythm {
  readonly pause: number;
  readonly interval: number;
  readonly period: number;
}

/**
 * Polls come in bursts: measured waits of a diverged warp end 157, 200, 244 or 288 cycles after
 * the first poll, and then the pattern repeats. A lane in a loop of one try_wait polls evenly.
 */
export class Polling {
  readonly #rhythms: readonly Rhythm[];

  constructor(costs: Costs) {
    const { pollPauseCycles: pause, pollIntervalCycles: interval, lanePollCycles } = costs;
    const asleep = { pause: 0, interval: 0, period: 0 };
    const even = { pause: lanePollCycles, interval: lanePollCycles, period: lanePollCycles };
    const period = pause + (costs.pollsPerBurst - 1) * interval;
    this.#rhythms = [{ pause, interval, period }, even, asleep, asleep];
  }

  /** Delays `times[role]` to the next poll of a wait whose first one was at `firsts[role]`. */
  delay(style: number, times: Float64Array, role: number, firsts: Float64Array): void {
    const first = firsts[role]!;
    const waited = times[role]! - first;
    if (waited <= 0) times[role] = first;
    else {
      const rhythm = this.#rhythms[style]!;
      if (rhythm.period > 0) times[role] = first + pollAfter(rhythm, waited);
    }
  }
}

function pollAfter({ pause, interval, period }: Rhythm, waited: number): number {
  const start = Math.floor(waited / period) * period;
  if (waited <= start) return start;
  const late = waited - start - pause;
  if (late <= 0) return start + pause;
  return start + pause + Math.ceil(late / interval) * interval;
}
