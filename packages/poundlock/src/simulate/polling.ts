// When a waiting role sees a completed phase: at its next poll, or when it is woken.
import type { WaitStyle } from '@poundlock/core/internal/program';
import type { Actor } from './actor.ts';
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

  /** Delays a role to the next poll of its wait. */
  delay(actor: Actor): void {
    const waited = actor.at - actor.firstPoll;
    if (waited <= 0) actor.at = actor.firstPoll;
    else {
      const rhythm = this.#rhythms[actor.style]!;
      if (rhythm.period > 0) actor.at = actor.firstPoll + pollAfter(rhythm, waited);
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
