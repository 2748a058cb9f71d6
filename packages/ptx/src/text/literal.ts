// Numbers of a PTX text as 64 bits in two halves.
import type { Literal } from '../isa/operand.ts';

export type { Literal };

const HALF = 2 ** 32;
const view = new DataView(new ArrayBuffer(8));

/** The low 64 bits of an integer. */
export function halves(value: bigint): Literal {
  const bits = BigInt.asUintN(64, value);
  return { low: Number(bits & 0xffff_ffffn), high: Number(bits >> 32n), isFloat: false };
}

function decimal(text: string): Literal | undefined {
  const value = Number(text);
  if (value < Number.MAX_SAFE_INTEGER)
    return { low: value >>> 0, high: Math.floor(value / HALF), isFloat: false };
  const whole = BigInt(text);
  return whole >= 2n ** 64n ? undefined : halves(whole);
}

/** The bits of a double. */
export function double(value: number): Literal {
  view.setFloat64(0, value);
  return { low: view.getUint32(4), high: view.getUint32(0), isFloat: true };
}

/** The number of a double. */
export function doubleOf({ low, high }: Literal): number {
  view.setUint32(4, low);
  view.setUint32(0, high);
  return view.getFloat64(0);
}

/** A float as bits of 32: a double is rounded, and bits of `0f` are as they are. */
export function single(value: Literal): Literal {
  if (!value.isFloat || value.high === 0) return value;
  view.setFloat32(0, doubleOf(value));
  return { low: view.getUint32(0), high: 0, isFloat: true };
}

/**
 * Reads a number of a PTX text: decimal, `0x`, `0b`, octal with a leading 0, `0f` and `0d` bits of
 * floats, and decimal fractions, which are doubles; `undefined` for a number that is none of them.
 */
export function literal(text: string): Literal | undefined {
  const prefix = text.slice(0, 2).toLowerCase();
  if (prefix === '0f') return { low: Number(`0x${text.slice(2)}`), high: 0, isFloat: true };
  if (prefix === '0d') return { ...halves(BigInt(`0x${text.slice(2)}`)), isFloat: true };
  const digits = text.replace(/U$/, '');
  if (prefix === '0x' || prefix === '0b') return halves(BigInt(digits.toLowerCase()));
  if (/[.eE]/.test(digits)) return double(Number(digits));
  if (/^0\d/.test(digits))
    return /^[0-7]+$/.test(digits) ? halves(BigInt(`0o${digits.slice(1)}`)) : undefined;
  return decimal(digits);
}

/** The two's complement of an integer literal. */
export function negated(value: Literal): Literal {
  if (value.isFloat)
    return {
      ...value,
      high: value.high === 0 ? 0 : (value.high ^ 0x8000_0000) >>> 0,
      low: value.high === 0 ? (value.low ^ 0x8000_0000) >>> 0 : value.low,
    };
  const low = -value.low >>> 0;
  return { low, high: (~value.high + (low === 0 ? 1 : 0)) >>> 0, isFloat: false };
}

/** The signed number of a literal, exact below 2^53. */
export function signedNumber(value: Literal): number {
  return (value.high | 0) * HALF + value.low;
}
