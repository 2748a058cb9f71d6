// Constant expressions of PTX: numbers with the operators of C, addresses of variables.
//
// An integer is of `.s64`; of `.u64` if it ends with `U`, has the highest bit, or comes from an
// operator that works on `.u64`. The rules are those of the ISA's constant expressions.
import { double, doubleOf, halves, literal, negated, signedNumber } from './literal.ts';
import type { Literal } from './literal.ts';
import type { Initializer } from './module.ts';
import type { Reader } from './reader.ts';

/** A constant, and whether it is an integer of `.u64`. */
interface Value extends Literal {
  readonly isUnsigned: boolean;
}

/** The predefined constant `WARP_SZ`: threads of a warp. */
const WARP_SZ = 'WARP_SZ';
const WARP_SIZE = 32n;

/** Whether the next word begins a constant. */
export function isConstant(reader: Reader): boolean {
  return reader.isNumber() || /^(?:[-+~!(]|WARP_SZ)$/.test(reader.peek());
}

/** Parentheses and signs that may be nested in one expression. */
const MAX_NESTING = 64;

function integer(value: bigint, isUnsigned = false): Value {
  return { ...halves(value), isUnsigned };
}

/** The bits of an integer as a number of one sign. */
function bitsOf(reader: Reader, value: Value, isUnsigned: boolean): bigint {
  if (value.isFloat) reader.fail('an integer is expected, not a float');
  const bits = (BigInt(value.high) << 32n) | BigInt(value.low);
  return isUnsigned ? bits : BigInt.asIntN(64, bits);
}

/** Reads one number with its signs and casts, or an expression in parentheses. */
function constant(reader: Reader, nesting: number): Value {
  if (nesting > MAX_NESTING) reader.fail('the expression is nested too deeply');
  const next = nesting + 1;
  if (reader.skip('-')) {
    const value = constant(reader, next);
    return { ...negated(value), isUnsigned: value.isUnsigned };
  }
  if (reader.skip('+')) return constant(reader, next);
  if (reader.skip('~')) return integer(~bitsOf(reader, constant(reader, next), true), true);
  if (reader.skip('!')) return integer(BigInt(bitsOf(reader, constant(reader, next), true) === 0n));
  if (reader.skip('(')) return parenthesized(reader, next);
  if (reader.skip(WARP_SZ)) return integer(WARP_SIZE);
  if (!reader.isNumber()) reader.fail('expected a number');
  const word = reader.take();
  const value = literal(word);
  if (value === undefined) return reader.fail('not a number of 64 bits', reader.at - 1);
  const isUnsigned = !value.isFloat && (value.high >= 2 ** 31 || word.endsWith('U'));
  return { ...value, isUnsigned };
}

/** What follows `(`: an expression, or `.u64` or `.s64` with the value that it casts. */
function parenthesized(reader: Reader, nesting: number): Value {
  const type = reader.peek();
  if (type !== '.u64' && type !== '.s64') {
    const value = conditional(reader, nesting);
    reader.expect(')');
    return value;
  }
  reader.take();
  reader.expect(')');
  const isUnsigned = type === '.u64';
  return integer(bitsOf(reader, constant(reader, nesting), isUnsigned), isUnsigned);
}

type Operation = (a: bigint, b: bigint) => bigint;
type Condition = (a: bigint, b: bigint) => boolean;
/** The type of the operands of an operator: `.u64` if one of them is; that of the left one. */
type Operands = 'usual' | 'left' | 'unsigned';

/** An operator of C. */
interface Operator {
  /** How tightly it binds: products most. */
  readonly tightness: number;
  readonly operands: Operands;
  /** Whether its result has the type of its operands; else it is of `.s64`. */
  readonly keepsType: boolean;
  readonly apply: Operation;
}

function operator(tightness: number, operands: Operands, apply: Operation): Operator {
  return { tightness, operands, keepsType: true, apply };
}

function condition(tightness: number, holds: Condition): Operator {
  const apply: Operation = (a, b) => BigInt(holds(a, b));
  return { tightness, operands: 'usual', keepsType: false, apply };
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '*': operator(10, 'usual', (a, b) => a * b),
  '/': operator(10, 'usual', (a, b) => a / b),
  '%': { ...operator(10, 'unsigned', (a, b) => a % b), keepsType: false },
  '+': operator(9, 'usual', (a, b) => a + b),
  '-': operator(9, 'usual', (a, b) => a - b),
  '<<': operator(8, 'left', (a, b) => a << (b & 63n)),
  '>>': operator(8, 'left', (a, b) => a >> (b & 63n)),
  '<': condition(7, (a, b) => a < b),
  '>': condition(7, (a, b) => a > b),
  '<=': condition(7, (a, b) => a <= b),
  '>=': condition(7, (a, b) => a >= b),
  '==': condition(6, (a, b) => a === b),
  '!=': condition(6, (a, b) => a !== b),
  '&': operator(5, 'unsigned', (a, b) => a & b),
  '^': operator(4, 'unsigned', (a, b) => a ^ b),
  '|': operator(3, 'unsigned', (a, b) => a | b),
  '&&': condition(2, (a, b) => a !== 0n && b !== 0n),
  '||': condition(1, (a, b) => a !== 0n || b !== 0n),
};
/** The operators of sums and products between floats, which are doubles. */
const FLOATS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
};

function applied(reader: Reader, name: string, left: Value, right: Value): Value {
  const ofFloats = FLOATS[name];
  if (left.isFloat && right.isFloat && ofFloats !== undefined)
    return { ...double(ofFloats(doubleOf(left), doubleOf(right))), isUnsigned: false };
  const { operands, keepsType, apply } = OPERATORS[name]!;
  const isUsual = operands === 'usual' && right.isUnsigned;
  const isUnsigned = isUsual || operands === 'unsigned' || left.isUnsigned;
  const divisor = bitsOf(reader, right, operands === 'left' || isUnsigned);
  if (divisor === 0n && (name === '/' || name === '%')) reader.fail('a division by 0');
  const result = apply(bitsOf(reader, left, isUnsigned), divisor);
  return integer(result, keepsType && isUnsigned);
}

/** Reads constants with operators of at least a tightness between them. */
function operation(reader: Reader, nesting: number, tightness: number): Value {
  let value = constant(reader, nesting);
  for (;;) {
    const name = reader.peek();
    const binds = OPERATORS[name]?.tightness;
    if (binds === undefined || binds < tightness) return value;
    reader.take();
    value = applied(reader, name, value, operation(reader, nesting + 1, binds + 1));
  }
}

function conditional(reader: Reader, nesting: number): Value {
  const value = operation(reader, nesting, 0);
  if (!reader.skip('?')) return value;
  const isTrue = bitsOf(reader, value, true) !== 0n;
  const first = conditional(reader, nesting + 1);
  reader.expect(':');
  const second = conditional(reader, nesting + 1);
  const chosen = isTrue ? first : second;
  return { ...chosen, isUnsigned: first.isUnsigned || second.isUnsigned };
}

/** Reads a constant expression: numbers with the operators of C. */
export function expression(reader: Reader): Literal {
  const { low, high, isFloat } = conditional(reader, 0);
  return { low, high, isFloat };
}

/** Reads an offset such as `+16`, `+-8` and `+4*2`; 0 if there is none. */
export function offset(reader: Reader): number {
  return reader.skip('+') ? wholeNumber(reader) : 0;
}

/** Reads a constant expression that is an integer. */
export function wholeNumber(reader: Reader): number {
  const value = expression(reader);
  if (value.isFloat) reader.fail('an integer is expected, not a float');
  return signedNumber(value);
}

/** Reads one initial value of a variable. */
export function initializer(reader: Reader): Initializer {
  if (reader.skip('generic')) {
    reader.expect('(');
    const symbol = reader.name();
    reader.expect(')');
    return { symbol, offset: offset(reader) };
  }
  if (isConstant(reader)) {
    const value = expression(reader);
    return reader.peek() === '(' ? maskedAddress(reader, value) : value;
  }
  const symbol = reader.name();
  return { symbol, offset: offset(reader) };
}

/** `0xff00(name)`: bits of an address, which are not known. */
function maskedAddress(reader: Reader, { isFloat }: Literal): Initializer {
  if (isFloat) reader.fail('the mask of an address is an integer');
  reader.expect('(');
  const inner = initializer(reader);
  reader.expect(')');
  return 'symbol' in inner ? { ...inner, isPart: true } : inner;
}
