// --delay NS: how long a sleep of `--delays` is.
import { grouped, InputError } from '@poundlock/core/internal/base';
import { readCount } from './amount.ts';

/** Nanoseconds of a sleep, unless specified. */
export const DEFAULT_DELAY = '20000';
/** The longest sleep that `nanosleep` takes. */
const MAX_DELAY = 1_000_000;

/** Reads `--delay`. */
export function readDelay(text: string): number {
  const delay = readCount('--delay', text);
  if (delay > MAX_DELAY)
    throw new InputError(`--delay ${text}: nanosleep takes at most ${grouped(MAX_DELAY)} ns`);
  return delay;
}
