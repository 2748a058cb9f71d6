// Constant expressions of PTX: numbers, signs, sums, parentheses, addresses of variables.
import { literal, negated, signedNumber } from './literal.ts';
import type { Literal } from './literal.ts';
import type { Initializer } from './module.ts';
import type { Reader } from './reader.ts';

/** The predefined constant `WARP_SZ`: threads of a warp. */
const WARP_SZ: Literal = { low: 32, high: 0, isFloat: false };

/** Whether the next word begins a constant. */
export function isConstant(reader: Reader): boolean {
  return reader.isNumber() || reader.peek() === '-' || isPredefined(reader);
}

function isPredefined(reader: Reader): boolean {
  return reader.peek() === 'WARP_SZ';
}

/** Parentheses and signs that may be nested in one expression. */
const MAX_NESTING = 64;

/** Reads one number with its signs, or an expression in parentheses. */
export function constant(reader: Reader, nesting = 0): Literal {
  if (nesting > MAX_NESTING) reader.fail('the expression is nested too deeply');
  if (reader.skip('-')) return negated(constant(reader, nesting + 1));
  if (reader.skip('+')) return constant(reader, nesting + 1);
  if (reader.skip('~')) {
    const value = constant(reader, nesting + 1);
    return { low: ~value.low >>> 0, high: ~value.high >>> 0, isFloat: false };
  }
  if (reader.skip('(')) {
    const value = sum(reader, nesting + 1);
    reader.expect(')');
    return value;
  }
  if (isPredefined(reader)) {
    reader.take();
    return WARP_SZ;
  }
  if (!reader.isNumber()) reader.fail('expected a number');
  return literal(reader.take());
}

/** Reads numbers that are added to or subtracted from each other. */
export function sum(reader: Reader, nesting = 0): Literal {
  let value = constant(reader, nesting);
  while (reader.peek() === '+' || reader.peek() === '-') {
    const right =
      reader.take() === '-' ? negated(constant(reader, nesting)) : constant(reader, nesting);
    const low = value.low + right.low;
    const high = (value.high + right.high + (low >= 2 ** 32 ? 1 : 0)) >>> 0;
    value = { low: low >>> 0, high, isFloat: false };
  }
  return value;
}

/** Reads offsets such as `+16` and `+-8`; 0 if there is none. */
export function offset(reader: Reader): number {
  let value = 0;
  while (reader.peek() === '+' || reader.peek() === '-') {
    const sign = reader.take() === '-' ? -1 : 1;
    value += sign * signedNumber(constant(reader));
  }
  return value;
}

/** Functions that may stand around an address in an initial value. */
const ADDRESS_FUNCTIONS = new Set(['generic', 'mask']);

/** Reads one initial value of a variable. */
export function initializer(reader: Reader): Initializer {
  const word = reader.peek();
  if (ADDRESS_FUNCTIONS.has(word)) {
    reader.take();
    reader.expect('(');
    if (word === 'mask') {
      reader.take();
      reader.expect(')');
      reader.expect('(');
    }
    const inner = initializer(reader);
    reader.expect(')');
    return 'symbol' in inner ? { ...inner, offset: inner.offset + offset(reader) } : inner;
  }
  if (/^[-+~(\d]/.test(word)) return sum(reader);
  const symbol = reader.name();
  return { symbol, offset: offset(reader) };
}
