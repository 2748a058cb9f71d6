// --smem BYTES: an amount of memory, with or without a unit.
import { InputError } from '@poundlock/core/internal/base';

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 * 1024 };

/** `232448`, `227KiB` or `1MiB`, as bytes. */
export function readBytes(option: string, text: string): number {
  const match = /^(\d+)\s*(B|KiB|MiB)?$/.exec(text);
  if (match !== null) return Number(match[1]) * UNITS[match[2] ?? 'B']!;
  throw new InputError(`${option} must be bytes like 232448 or 227KiB, not "${text}"`);
}
