// --timeout TIME: how long the work for one file may take.
import { Option } from 'commander';
import { readTime } from './amount.ts';

/** The options of every verb that has a time-out. */
export interface TimeoutOptions {
  readonly timeout?: string;
}

/** The option; `what` says what it does when the time is up. */
export const timeoutOption = (what = 'stop as inconclusive'): Option =>
  new Option('--timeout <TIME>', `${what} after 30, 30s, 500ms or 2m`);

/** Milliseconds, or `undefined` without a limit. */
export function readTimeout({ timeout }: TimeoutOptions): number | undefined {
  return timeout === undefined ? undefined : readTime('--timeout', timeout);
}
