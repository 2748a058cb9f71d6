// Sums, differences and products of floats that are known, such as scales in parameters: exact where
// the nearest number is asked for. A sum of doubles that is rounded once more is that of floats.
import type { ScalarType } from '../text/scalar-type.ts';
import type { Arithmetic } from './integer.ts';

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
};

/** Modifiers that an instruction may have beside its type; others are not modelled. */
const MODIFIERS = new Set(['rn', 'ftz']);
const SMALLEST_NORMAL = 2 ** -126;
const NOT_A_NUMBER = 0x7fff_ffff;

const words = new DataView(new ArrayBuffer(8));

function flushed(value: number): number {
  return Math.abs(value) < SMALLEST_NORMAL ? value * 0 : value;
}

function single(compute: (a: number, b: number) => number, isFlushed: boolean): Arithmetic {
  const read = (bits: number): number => {
    words.setUint32(0, bits);
    const value = words.getFloat32(0);
    return isFlushed ? flushed(value) : value;
  };
  return {
    compute: (out, aLow, _aHigh, bLow) => {
      const exact = Math.fround(compute(read(aLow), read(bLow)));
      words.setFloat32(0, isFlushed ? flushed(exact) : exact);
      out.low = Number.isNaN(exact) ? NOT_A_NUMBER : words.getUint32(0);
      out.high = 0;
    },
  };
}

/** The computation of an opcode on floats; `null` where its result is not modelled. */
export function floatArithmetic(parts: readonly string[], type: ScalarType): Arithmetic | null {
  const operation = OPERATIONS[parts[0]!];
  const modifiers = parts.slice(1, -1);
  if (type.name !== 'f32' || operation === undefined) return null;
  if (!modifiers.every((modifier) => MODIFIERS.has(modifier))) return null;
  return single(operation, modifiers.includes('ftz'));
}
