// Arithmetic of PTX over BigInt: what an instruction without effects on others computes.
import { bytesOf } from './kernel-text.ts';

/** Computes a result from the values of the operands. */
export type Compute = (...values: readonly bigint[]) => bigint;

const COMPARISONS: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  lo: (a, b) => a < b,
  le: (a, b) => a <= b,
  ls: (a, b) => a <= b,
  gt: (a, b) => a > b,
  hi: (a, b) => a > b,
  ge: (a, b) => a >= b,
  hs: (a, b) => a >= b,
};

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Results before they are cut to the width of the type; operands are of the type. */
const BINARY: Readonly<Record<string, Compute>> = {
  mov: (a = 0n) => a,
  cvta: (a = 0n) => a,
  not: (a = 0n) => ~a,
  neg: (a = 0n) => -a,
  abs: (a = 0n) => (a < 0n ? -a : a),
  add: (a = 0n, b = 0n) => a + b,
  sub: (a = 0n, b = 0n) => a - b,
  mul: (a = 0n, b = 0n) => a * b,
  mad: (a = 0n, b = 0n, c = 0n) => a * b + c,
  div: (a = 0n, b = 0n) => (b === 0n ? -1n : a / b),
  rem: (a = 0n, b = 0n) => (b === 0n ? a : a % b),
  min: (a = 0n, b = 0n) => minOf(a, b),
  max: (a = 0n, b = 0n) => maxOf(a, b),
  and: (a = 0n, b = 0n) => a & b,
  or: (a = 0n, b = 0n) => a | b,
  xor: (a = 0n, b = 0n) => a ^ b,
};

/** Predicates have one bit. */
const bitsOf = (type: string): number => (type === 'pred' ? 1 : 8 * bytesOf(type));

function ofType(type: string, value: bigint): bigint {
  return type.startsWith('s')
    ? BigInt.asIntN(bitsOf(type), value)
    : BigInt.asUintN(bitsOf(type), value);
}

/** What an instruction computes; `null` if this is no arithmetic. Registers hold unsigned values. */
export function computeOf(parts: readonly string[]): Compute | null {
  const [name = '', mode = ''] = parts;
  const type = parts.at(-1)!;
  const bits = bitsOf(type);
  const cut = (value: bigint): bigint => BigInt.asUintN(bits, value);
  if (name === 'setp') {
    const compare = COMPARISONS[mode]!;
    return (a = 0n, b = 0n) => (compare(ofType(type, a), ofType(type, b)) ? 1n : 0n);
  }
  if (name === 'selp') return (a = 0n, b = 0n, c = 0n) => (c === 1n ? cut(a) : cut(b));
  if (name === 'shl') return (a = 0n, b = 0n) => (b >= BigInt(bits) ? 0n : cut(a << b));
  if (name === 'shr') return (a = 0n, b = 0n) => cut(ofType(type, a) >> minOf(b, BigInt(bits)));
  if (name === 'cvt') {
    const to = bitsOf(parts.at(-2)!);
    return (a = 0n) => BigInt.asUintN(to, ofType(type, a));
  }
  const compute = BINARY[name];
  if (compute === undefined) return null;
  // The third operand of `mad.wide` has twice the width.
  const isWide = mode === 'wide';
  const result = isWide ? 2 * bits : bits;
  return (...values) =>
    BigInt.asUintN(
      result,
      compute(...values.map((each, at) => (isWide && at === 2 ? each : ofType(type, each)))),
    );
}
