// When a waiting role looks: a try_wait loop sees a completed phase only at its next poll.
import type { Costs } from './model.ts';

/**
 * The time of the first poll at or after `ready` of a wait whose first poll is at `first`. Polls
 * come in bursts: measured waits end 157, 200, 244 or 288 cycles after the first poll, then
 * start over.
 */
export function pollAfter(costs: Costs, first: number, ready: number): number {
  if (ready <= first) return first;
  const { pollPauseCycles: pause, pollIntervalCycles: interval } = costs;
  const { pollsPerBurst } = costs;
  const period = pause + (pollsPerBurst - 1) * interval;
  if (period <= 0) return ready;
  const start = first + Math.floor((ready - first) / period) * period;
  if (ready <= start) return start;
  const late = ready - start - pause;
  if (late <= 0) return start + pause;
  return start + pause + Math.ceil(late / interval) * interval;
}
