// What arguments of operations must be, and the CTAs that an operation reaches.
import { currentPosition, InputError } from '../base/index.ts';
import type { CtaTargets } from './operation-options.ts';

/** The largest number that an operation may carry: a state keeps 32-bit words. */
export const MOST = 0x3fffffff;

export const OWN_CTA: readonly number[] = [];

/** Throws unless `value` is a whole number from `least` to `most`. */
export function requireWhole(
  what: string,
  value: number,
  least: number,
  most: number = MOST,
): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(
    `${what} must be a whole number from ${least} to ${most}, not ${value}`,
    currentPosition(),
  );
}

export function ctasOf(reach: CtaTargets): readonly number[] {
  return reach.ctas ?? (reach.cta === undefined ? OWN_CTA : [reach.cta]);
}
