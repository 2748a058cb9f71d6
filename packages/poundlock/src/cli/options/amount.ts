// Parses numbers and durations on the command line.
import { InputError } from '@poundlock/core/internal/base';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `10000000`, `10_000_000` or `1e7`: a whole number of at least `least`. */
export function readCount(option: string, text: string, least = 1): number {
  const number = /^\d[\d_]*(e\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new InputError(`${option} must be a whole number of at least ${least}, not "${text}"`);
}

/** `30` (seconds), `30s`, `500ms`, `2m` or `1h`, as milliseconds. */
export function readTime(option: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text);
  const milliseconds = match === null ? 0 : Number(match[1]) * UNITS[match[2] ?? 's']!;
  if (milliseconds > 0) return milliseconds;
  throw new InputError(`${option} must be a time like 30, 30s, 500ms or 2m, not "${text}"`);
}
