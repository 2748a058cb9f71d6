// What random programs are checked with: `check`, with the clock of its time-outs.
import { sourceText as sourceOf } from '@poundlock/core/internal/host';
import type { Checker } from '@poundlock/fuzz';
import { check } from '../accepting.ts';

/** `check` as a test subject; the text of what runs the programs shows which tries are polls. */
export const checker: Checker = (kernel, options) =>
  check({ ...kernel, sourceOf }, { now: () => performance.now(), ...options });
