// Constant expressions of PTX: numbers with the operators of C, addresses of variables.
import { halves, literal, negated, signedNumber } from './literal.ts';
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
    const value = expression(reader, nesting + 1);
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

/** The operators of C between two integers of 64 bits, the tightest first. */
const OPERATORS: Readonly<Record<string, readonly [tightness: number, Operation]>> = {
  '*': [10, (a, b) => a * b],
  '/': [10, (a, b) => a / b],
  '%': [10, (a, b) => a % b],
  '+': [9, (a, b) => a + b],
  '-': [9, (a, b) => a - b],
  '<<': [8, (a, b) => a << (b & 63n)],
  '>>': [8, (a, b) => a >> (b & 63n)],
  '<': [7, (a, b) => BigInt(a < b)],
  '>': [7, (a, b) => BigInt(a > b)],
  '<=': [7, (a, b) => BigInt(a <= b)],
  '>=': [7, (a, b) => BigInt(a >= b)],
  '==': [6, (a, b) => BigInt(a === b)],
  '!=': [6, (a, b) => BigInt(a !== b)],
  '&': [5, (a, b) => a & b],
  '^': [4, (a, b) => a ^ b],
  '|': [3, (a, b) => a | b],
  '&&': [2, (a, b) => BigInt(a !== 0n && b !== 0n)],
  '||': [1, (a, b) => BigInt(a !== 0n || b !== 0n)],
};
type Operation = (a: bigint, b: bigint) => bigint;
const PRODUCT = 10;

function integer(reader: Reader, { low, high, isFloat }: Literal): bigint {
  if (isFloat) reader.fail('an operator between numbers that are not integers');
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

/** Reads a constant expression: numbers with the operators of C, of at least a tightness. */
export function expression(reader: Reader, nesting = 0, tightness = 0): Literal {
  let value = constant(reader, nesting);
  for (;;) {
    const [own, operation] = OPERATORS[reader.peek()] ?? [];
    if (own === undefined || operation === undefined || own < tightness) break;
    const operator = reader.take();
    const left = integer(reader, value);
    const right = integer(reader, expression(reader, nesting + 1, own + 1));
    if (right === 0n && (operator === '/' || operator === '%')) reader.fail('a division by 0');
    value = halves(operation(left, right));
  }
  if (tightness > 0 || !reader.skip('?')) return value;
  const isTrue = integer(reader, value) !== 0n;
  const first = expression(reader, nesting + 1);
  reader.expect(':');
  const second = expression(reader, nesting + 1);
  return isTrue ? first : second;
}

/** Reads offsets such as `+16`, `+-8` and `+4*2`; 0 if there is none. */
export function offset(reader: Reader): number {
  let value = 0;
  while (reader.peek() === '+' || reader.peek() === '-') {
    const sign = reader.take() === '-' ? -1 : 1;
    value += sign * signedNumber(expression(reader, 0, PRODUCT));
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
  if (/^[-+~(\d]/.test(word)) return expression(reader);
  const symbol = reader.name();
  return { symbol, offset: offset(reader) };
}
