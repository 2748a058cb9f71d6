// What random programs are checked with: `check`, with the clock of its time-outs.
import type { Checker } from '@poundlock/fuzz';
import { check } from '#src/check/index';

/** `check` as a test subject. */
export const checker: Checker = (kernel, options) =>
  check(kernel, { now: () => performance.now(), ...options });
