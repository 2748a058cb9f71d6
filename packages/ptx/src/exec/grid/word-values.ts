// The values of words of 32 and 64 bits as numbers: equal numbers are equal values.
import type { Wide } from '../../values/wide.ts';

/** High halves from here on make numbers that are not exact: such values are numbered. */
const EXACT_HIGH = 2 ** 21;
const HALF = 2 ** 32;

const numbers = new Map<string, number>();
const numbered: { readonly low: number; readonly high: number }[] = [];

/** The number of what a word of some bytes holds; below 0 for values of 53 bits or more. */
export function numberOf({ low, high }: Wide, bytes: number): number {
  const lower = low >>> 0;
  const upper = bytes > 4 ? high >>> 0 : 0;
  if (upper < EXACT_HIGH) return upper * HALF + lower;
  const key = `${upper} ${lower}`;
  let number = numbers.get(key);
  if (number === undefined) {
    number = -numbered.push({ low: lower, high: upper });
    numbers.set(key, number);
  }
  return number;
}

/** The value that a number stands for, in decimal. */
export function textOf(number: number, bytes: number): string {
  if (bytes === 4) return String(number | 0);
  const value: Wide = { low: 0, high: 0 };
  setNumber(number, value);
  return String(BigInt.asIntN(64, (BigInt(value.high) << 32n) | BigInt(value.low)));
}

/** Writes the value that a number stands for. */
export function setNumber(number: number, out: Wide): void {
  const { low, high } =
    number < 0 ? numbered[-1 - number]! : { low: number % HALF, high: Math.floor(number / HALF) };
  out.low = low;
  out.high = high;
}
