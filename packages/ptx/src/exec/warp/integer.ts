// Integer arithmetic, exact: add, sub, mul, mad, div, rem, min, max, neg, abs, shifts, bit fields.
import type { Compute as Computation, Permutation } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import { scalarType, type ScalarType } from '../../isa/scalar-type.ts';
import * as wide from '../../values/wide.ts';
import type { Orders } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import type { Compute, ComputePartly, ComputeTerm } from './operation.ts';
import { isFloat, isPacked, isSigned, narrow, signExtend, truncate } from './form.ts';
import type { ReachRule } from './reaches.ts';

/** How an elementwise instruction is computed. */
export interface Arithmetic {
  readonly compute: Compute;
  /** Which of the results of an instruction it is, where there are several; the first: missing. */
  readonly part?: number;
  /** Whether it is the sum, or the difference, of the inputs, modulo the size of a register. */
  readonly adds?: 1 | -1;
  /** Where it is a comparison of words alone: in which orders it holds. */
  readonly orders?: Orders;
  readonly partly?: ComputePartly;
  readonly term?: ComputeTerm;
  readonly reach?: ReachRule | undefined;
}

/** Builds the computation of an instruction; `null` where its result is not modelled. */
export type ArithmeticBuilder = (effect: Computation, type: ScalarType) => Arithmetic | null;

/** Such builders by the operation. */
export type ArithmeticFamily = Readonly<Partial<Record<Operation, ArithmeticBuilder>>>;

/** A computation with 32-bit inputs and a result cut to a type. */
function narrowed(
  type: ScalarType,
  compute: (a: number, b: number, c: number) => number,
): Arithmetic {
  const { bits } = type;
  // Words are the most by far.
  if (bits === 32 && isSigned(type))
    return {
      compute: (out, a, _aHigh, b, _bHigh, c) => {
        out.low = compute(a | 0, b | 0, c | 0) >>> 0;
        out.high = 0;
      },
    };
  if (bits === 32)
    return {
      compute: (out, a, _aHigh, b, _bHigh, c) => {
        out.low = compute(a >>> 0, b >>> 0, c >>> 0) >>> 0;
        out.high = 0;
      },
    };
  return {
    compute: (out, a, _aHigh, b, _bHigh, c) => {
      out.low = truncate(compute(narrow(a, type), narrow(b, type), narrow(c, type)), bits);
      out.high = 0;
    },
  };
}

/** A computation with integers of any size, for rare instructions of 64 bits. */
function big(type: ScalarType, compute: (a: bigint, b: bigint, c: bigint) => bigint): Arithmetic {
  const read = isSigned(type) ? wide.signedBig : wide.unsignedBig;
  return {
    compute: (out, aLow, aHigh, bLow, bHigh, cLow, cHigh) => {
      wide.setBig(out, compute(read(aLow, aHigh), read(bLow, bHigh), read(cLow, cHigh)));
    },
  };
}

const isWide = (type: ScalarType): boolean => type.bits === 64;
const scratch: Wide = { low: 0, high: 0 };

function integer(builder: ArithmeticBuilder): ArithmeticBuilder {
  return (effect, type) => {
    if (isFloat(type)) return null;
    const part = isPacked(type) ? scalarType(type.name.replace(/x[24]$/, '')) : undefined;
    return part === undefined ? builder(effect, type) : packed(builder(effect, part), part.bits);
  };
}

/** The same for each part of a word, such as both halves of `s16x2`. */
function packed(each: Arithmetic | null, bits: number): Arithmetic | null {
  if (each === null) return null;
  return {
    compute: (out, a, _aHigh, b, _bHigh, c) => {
      let word = 0;
      for (let at = 0; at < 32; at += bits) {
        each.compute(out, a >>> at, 0, b >>> at, 0, c >>> at, 0, 0);
        word |= truncate(out.low, bits) << at;
      }
      wide.set(out, word, 0);
    },
  };
}

/** The upper half of a product, for operands of up to 32 bits. */
function upperProduct(type: ScalarType): (a: number, b: number) => number {
  if (type.bits < 32) return (a, b) => (a * b) >> type.bits;
  const multiply = isSigned(type) ? wide.signedProduct : wide.product;
  return (a, b) => {
    multiply(scratch, a, b);
    return scratch.high;
  };
}

const multiply = integer((effect, type) => {
  if (effect.modifiers.has('wide')) {
    const product = isSigned(type) ? wide.signedProduct : wide.product;
    if (type.bits < 32) {
      return {
        compute: (out, a, _1, b) => wide.set(out, narrow(a, type) * narrow(b, type), 0),
      };
    }
    return { compute: (out, a, _1, b) => product(out, a, b) };
  }
  if (effect.modifiers.has('hi')) {
    if (isWide(type)) return big(type, (a, b) => (a * b) >> 64n);
    return narrowed(type, upperProduct(type));
  }
  if (isWide(type)) return { compute: (out, aL, aH, bL, bH) => wide.multiply(out, aL, aH, bL, bH) };
  return narrowed(type, (a, b) => Math.imul(a, b));
});

const multiplyAdd = integer((effect, type) => {
  if (effect.modifiers.has('sat')) return null;
  const product = multiply(effect, type);
  if (product === null) return null;
  const isWideSum = isWide(type) || effect.modifiers.has('wide');
  return {
    compute: (out, aL, aH, bL, bH, cL, cH) => {
      product.compute(out, aL, aH, bL, bH, 0, 0, 0);
      if (isWideSum && (isWide(type) || type.bits === 32)) wide.add(out, out.low, out.high, cL, cH);
      else
        wide.set(
          out,
          truncate(out.low + cL, effect.modifiers.has('wide') ? type.bits * 2 : type.bits),
          0,
        );
    },
  };
});

/** A sum or difference of `.sat.s32`. */
function saturated(whole: (a: number, b: number) => number): Arithmetic {
  return {
    compute: (out, a, _1, b) =>
      wide.set(out, Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, whole(a | 0, b | 0))), 0),
  };
}

/** The product of the low 24 bits of two words: its low 32 bits, or those from bit 16 on. */
function product24(effect: Computation, type: ScalarType): (a: number, b: number) => number {
  const cut = (value: number): number =>
    isSigned(type) ? signExtend(value, 24) : value & 0xff_ffff;
  const product = isSigned(type) ? wide.signedProduct : wide.product;
  return (a, b) => {
    product(scratch, cut(a), cut(b));
    return effect.modifiers.has('hi') ? (scratch.low >>> 16) | (scratch.high << 16) : scratch.low;
  };
}

/** Division and remainder; division by zero has no defined result. */
function division(
  wholes: (a: bigint, b: bigint) => bigint,
  numbers: (a: number, b: number) => number,
): ArithmeticBuilder {
  return integer((_effect, type) => {
    if (isWide(type)) return big(type, (a, b) => (b === 0n ? -1n : wholes(a, b)));
    return narrowed(type, (a, b) => (b === 0 ? -1 : numbers(a, b)));
  });
}

function extreme(isSmaller: boolean): ArithmeticBuilder {
  return integer((effect, type) => {
    const least = effect.modifiers.has('relu') ? 0 : -Infinity;
    if (isWide(type)) {
      if (least === 0) return null;
      const below = isSigned(type) ? wide.isBelowSigned : wide.isBelow;
      return {
        compute: (out, aL, aH, bL, bH) => {
          if (below(aL, aH, bL, bH) === isSmaller) wide.set(out, aL, aH);
          else wide.set(out, bL, bH);
        },
      };
    }
    const chosen = isSmaller ? Math.min : Math.max;
    return narrowed(type, (a, b) => Math.max(least, chosen(a, b)));
  });
}

/** The selector that each mode of `prmt` stands for, from the two low bits of its operand. */
const PERMUTATIONS: Readonly<Record<Permutation, (n: number) => number>> = {
  f4e: (n) => 0x3210 + 0x1111 * n,
  b4e: (n) => [0x5670, 0x6701, 0x7012, 0x0123][n]!,
  rc8: (n) => 0x1111 * n,
  ecl: (n) => [0x3210, 0x3211, 0x3222, 0x3333][n]!,
  ecr: (n) => [0x0000, 0x1110, 0x2210, 0x3210][n]!,
  rc16: (n) => ((n & 1) === 0 ? 0x1010 : 0x3232),
};

/** The bits of a byte permutation, `prmt`. */
function permute(a: number, b: number, selector: number): number {
  let result = 0;
  for (let byte = 0; byte < 4; byte++) {
    const select = (selector >>> (4 * byte)) & 0xf;
    const word = (select & 4) === 0 ? a : b;
    const value = (word >>> (8 * (select & 3))) & 0xff;
    const chosen = (select & 8) === 0 ? value : value >= 0x80 ? 0xff : 0;
    result |= chosen << (8 * byte);
  }
  return result >>> 0;
}

/** The bits of a truth table applied to three words, `lop3`. */
export function truthTable(a: number, b: number, c: number, table: number): number {
  let result = 0;
  for (let row = 0; row < 8; row++) {
    if (((table >>> row) & 1) === 0) continue;
    result |= ((row & 4) === 0 ? ~a : a) & ((row & 2) === 0 ? ~b : b) & ((row & 1) === 0 ? ~c : c);
  }
  return result >>> 0;
}

/** A number of bits: of words the low 8 bits of it, of wider values no more than there are. */
function fieldBits(value: number, { bits }: ScalarType): number {
  return bits === 64 ? Math.min(value >>> 0, 64) : value & 0xff;
}

function extractField(type: ScalarType): Compute {
  const { bits } = type;
  return (out, low, high, positionLow, _1, lengthLow) => {
    const position = fieldBits(positionLow, type);
    const length = fieldBits(lengthLow, type);
    const value = wide.unsignedBig(low, bits === 64 ? high : 0);
    if (length === 0) return wide.set(out, 0, 0);
    const field = (value >> BigInt(position)) & ((1n << BigInt(length)) - 1n);
    const top = BigInt(Math.min(position + length - 1, bits - 1));
    const isNegative = isSigned(type) && ((value >> top) & 1n) === 1n;
    const width = BigInt(Math.max(0, Math.min(length, bits - position)));
    wide.setBig(out, isNegative ? field | (-1n << width) : field);
    if (bits === 32) out.high = 0;
  };
}

function insertField(type: ScalarType): Compute {
  return (out, aLow, aHigh, bLow, bHigh, position, _1, length) => {
    const at = BigInt(fieldBits(position, type));
    const mask = ((1n << BigInt(fieldBits(length, type))) - 1n) << at;
    const into = wide.unsignedBig(bLow, type.bits === 64 ? bHigh : 0);
    const from = wide.unsignedBig(aLow, type.bits === 64 ? aHigh : 0);
    wide.setBig(out, (into & ~mask) | ((from << at) & mask));
    if (type.bits === 32) out.high = 0;
  };
}

/** Bits up to the highest one, of a value in two halves. */
function bitLength(low: number, high: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
}

function countOnes(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function reversed(value: number): number {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) result |= ((value >>> bit) & 1) << (31 - bit);
  return result >>> 0;
}

function findHighest(effect: Computation, type: ScalarType): Compute {
  return (out, low, high) => {
    let one = isWide(type) ? low : narrow(low, type) >>> 0;
    let two = isWide(type) ? high : 0;
    const isNegative = isSigned(type) && (isWide(type) ? high : one) >>> 31 === 1;
    if (isNegative) {
      one = ~one >>> 0;
      two = isWide(type) ? ~two >>> 0 : 0;
    }
    const length = bitLength(one, two);
    const position = effect.modifiers.has('shiftamt') ? type.bits - length : length - 1;
    wide.set(out, length === 0 ? -1 : position, 0);
  };
}

/** Integer instructions. */
export const INTEGER: ArithmeticFamily = {
  add: integer((effect, type) => {
    if (effect.modifiers.has('sat')) return saturated((a, b) => a + b);
    if (isWide(type)) return { compute: wide.add, adds: 1 };
    return { ...narrowed(type, (a, b) => a + b), ...(type.bits === 32 ? { adds: 1 } : {}) };
  }),
  sub: integer((effect, type) => {
    if (effect.modifiers.has('sat')) return saturated((a, b) => a - b);
    if (isWide(type)) return { compute: wide.subtract, adds: -1 };
    return { ...narrowed(type, (a, b) => a - b), ...(type.bits === 32 ? { adds: -1 } : {}) };
  }),
  mul: multiply,
  mad: multiplyAdd,
  mul24: integer((effect, type) => narrowed(type, product24(effect, type))),
  mad24: integer((effect, type) => {
    if (effect.modifiers.has('sat')) return null;
    const product = product24(effect, type);
    return narrowed(type, (a, b, c) => product(a, b) + c);
  }),
  div: division(
    (a, b) => a / b,
    (a, b) => Math.trunc(a / b),
  ),
  rem: division(
    (a, b) => a % b,
    (a, b) => a % b,
  ),
  min: extreme(true),
  max: extreme(false),
  neg: integer((_effect, type) =>
    isWide(type) ? big(type, (a) => -a) : narrowed(type, (a) => -a),
  ),
  abs: integer((_effect, type) =>
    isWide(type) ? big(type, (a) => (a < 0n ? -a : a)) : narrowed(type, (a) => Math.abs(a)),
  ),
  sad: integer((_effect, type) =>
    isWide(type)
      ? big(type, (a, b, c) => c + (a < b ? b - a : a - b))
      : narrowed(type, (a, b, c) => c + Math.abs(a - b)),
  ),
  shl: (_effect, type) => ({
    compute: (out, low, high, count) => {
      if (isWide(type)) wide.shiftLeft(out, low, high, count);
      else wide.set(out, count >= type.bits ? 0 : truncate(low << count, type.bits), 0);
    },
  }),
  shr: (_effect, type) => ({
    compute: (out, low, high, count) => {
      if (isWide(type))
        (isSigned(type) ? wide.shiftRightSigned : wide.shiftRight)(out, low, high, count);
      else if (isSigned(type))
        wide.set(out, truncate(narrow(low, type) >> Math.min(count, 31), type.bits), 0);
      else wide.set(out, count >= type.bits ? 0 : truncate(low, type.bits) >>> count, 0);
    },
  }),
  shf: (effect) => {
    const isLeft = effect.modifiers.has('l');
    const isClamped = effect.modifiers.has('clamp');
    return {
      compute: (out, low, _1, high, _2, shift) => {
        const count = isClamped ? Math.min(shift, 32) : shift & 31;
        if (isLeft) {
          wide.shiftLeft(out, low, high, count);
          wide.set(out, out.high, 0);
        } else {
          wide.shiftRight(out, low, high, count);
          wide.set(out, out.low, 0);
        }
      },
    };
  },
  bfe: (_effect, type) => ({ compute: extractField(type) }),
  bfi: (_effect, type) => ({ compute: insertField(type) }),
  popc: (_effect, type) => ({
    compute: (out, low, high) =>
      wide.set(out, countOnes(low) + (isWide(type) ? countOnes(high) : 0), 0),
  }),
  clz: (_effect, type) => ({
    compute: (out, low, high) =>
      wide.set(out, type.bits - bitLength(low, isWide(type) ? high : 0), 0),
  }),
  brev: (_effect, type) => ({
    compute: (out, low, high) => {
      if (isWide(type)) wide.set(out, reversed(high), reversed(low));
      else wide.set(out, reversed(low), 0);
    },
  }),
  bfind: (effect, type) => ({ compute: findHighest(effect, type) }),
  bmsk: (effect) => ({
    compute: (out, position, _1, width) => {
      const at = effect.modifiers.has('wrap') ? position & 31 : Math.min(position, 32);
      const count = effect.modifiers.has('wrap') ? width & 31 : Math.min(width, 32);
      wide.setBig(out, ((1n << BigInt(count)) - 1n) << BigInt(at));
      out.high = 0;
    },
  }),
  szext: (effect, type) => ({
    compute: (out, low, _1, width) => {
      const count = effect.modifiers.has('wrap') ? width & 31 : Math.min(width, 32);
      const value =
        count === 0 ? 0 : isSigned(type) ? signExtend(low, count) : truncate(low, count);
      wide.set(out, value, 0);
    },
  }),
  prmt: ({ permutation }) => {
    const mode = permutation === null ? null : PERMUTATIONS[permutation];
    return {
      compute: (out, a, _1, b, _2, selector) =>
        wide.set(out, permute(a, b, mode === null ? selector : mode(selector & 3)), 0),
    };
  },
};
