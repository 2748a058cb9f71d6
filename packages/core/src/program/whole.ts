// The range check of every number that a kernel declares or an operation carries.
import { currentPosition, InputError } from '../base/index.ts';

/** The largest number that an operation may carry: a state keeps 32-bit words. */
export const MOST = 0x3fffffff;

/**
 * Throws unless `value` is a whole number from `least` to `most`: nothing is rounded, wrapped or
 * converted. Negative zero is refused, because a state stores it as zero.
 */
export function requireWhole(
  what: string,
  value: number,
  least: number,
  most: number = MOST,
): void {
  const isWhole = Number.isInteger(value) && !Object.is(value, -0);
  if (isWhole && value >= least && value <= most) return;
  throw new InputError(
    `${what} must be a whole number from ${least} to ${most}, not ${shown(value)}`,
    currentPosition(),
  );
}

/** Whether a parameter may have this value: a finite number, and no negative zero. */
export function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/** A value as it is written: `-0` and `10n` are no `0` and `10`, nor is text a number. */
function shown(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
