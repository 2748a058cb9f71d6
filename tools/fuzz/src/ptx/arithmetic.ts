// What instructions compute that no other lane notices, over BigInt.
import { bytesOf, OutOfScope, type Instruction } from './kernel-text.ts';

/** Predicates have one bit. */
const bitsOf = (type: string): number => (type === 'pred' ? 1 : 8 * bytesOf(type));

/** Results before they are cut to the width of the type; operands are of the type. */
const RESULTS: Readonly<Record<string, (a: bigint, b: bigint, c: bigint) => bigint>> = {
  mov: (a) => a,
  ld: (a) => a,
  cvta: (a) => a,
  not: (a) => ~a,
  neg: (a) => -a,
  abs: (a) => (a < 0n ? -a : a),
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  mad: (a, b, c) => a * b + c,
  div: (a, b) => (b === 0n ? -1n : a / b),
  rem: (a, b) => (b === 0n ? a : a % b),
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a > b ? a : b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => (b > 63n ? 0n : a << b),
  shr: (a, b) => a >> b,
  selp: (a, b, c) => (c === 1n ? a : b),
  eq: (a, b) => BigInt(a === b),
  ne: (a, b) => BigInt(a !== b),
  lt: (a, b) => BigInt(a < b),
  le: (a, b) => BigInt(a <= b),
  gt: (a, b) => BigInt(a > b),
  ge: (a, b) => BigInt(a >= b),
};

/** What only orders memory, or takes time. */
const HARMLESS = /^(fence|membar|nanosleep)\b/;

/** The name of the computation of an instruction. */
function computationOf([name = '', mode = '']: readonly string[]): string {
  return name === 'setp' ? mode : name === 'cvt' ? 'mov' : name;
}

/** What is computed otherwise than here is beyond what is interpreted. */
export function requireKnown({ opcode, parts, operands, isVisible }: Instruction): void {
  if (isVisible || HARMLESS.test(opcode)) return;
  const [name] = parts;
  const isKnown = RESULTS[computationOf(parts)] !== undefined;
  const isWhole = /^([bus]\d+|pred)$/.test(parts.at(-1)!) && !/\.(hi|sat|cc|approx)\b/.test(opcode);
  const isPlain =
    name === 'setp' ? parts.length === operands.length : name !== 'mov' || operands.length === 2;
  if (!isKnown || !isWhole || !isPlain) throw new OutOfScope(opcode);
}

/** What a silent instruction computes. Registers hold unsigned values. */
export function computed(parts: readonly string[], values: readonly bigint[]): bigint {
  const [name = '', mode = ''] = parts;
  const type = parts.at(-1)!;
  const bits = bitsOf(type);
  // Amounts of shifts, predicates and the sum of `mad.wide` are of other types.
  const isOther = (at: number): boolean =>
    at === 2 || (at === 1 && (name === 'shl' || name === 'shr')) || name === 'mov';
  const [a = 0n, b = 0n, c = 0n] = values.map((value, at) => {
    if (isOther(at)) return value;
    return type.startsWith('s') ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  });
  const width = name === 'cvt' ? bitsOf(parts.at(-2)!) : mode === 'wide' ? 2 * bits : bits;
  const result = BigInt.asUintN(width, RESULTS[computationOf(parts)]!(a, b, c));
  // `setp.eq.and` takes another predicate into account.
  return name === 'setp' && parts.length > 3 ? RESULTS[parts[2]!]!(result, c, 0n) : result;
}
