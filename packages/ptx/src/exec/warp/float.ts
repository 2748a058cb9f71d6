// Sums, products and conversions of floats that are known, such as scales in parameters: exact
// where the nearest number is asked for. A sum of doubles, rounded once more, is that of floats.
import type { Compute, ComputeModifier } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import type { Wide } from '../../values/wide.ts';
import { narrow } from './form.ts';
import type { Arithmetic } from './integer.ts';

const OPERATIONS: Readonly<Partial<Record<Operation, (a: number, b: number) => number>>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
};

/** Modifiers that an instruction may have beside its type; others are not modelled. */
const MODIFIERS = new Set<ComputeModifier>(['rn', 'ftz']);
const SMALLEST_NORMAL = 2 ** -126;
/** The upper halves of what is no number: of arithmetic with words, and of anything else. */
const NOT_A_NUMBER = 0x7fff_ffff;
const CONVERTED_NONE = 0x7fc0_0000;
const WIDE_NONE = 0x7ff8_0000;

const words = new DataView(new ArrayBuffer(8));

/** A number without subnormal ones: those are zeros of their sign. */
export function flushed(value: number): number {
  if (!(Math.abs(value) < SMALLEST_NORMAL)) return value;
  return value < 0 || Object.is(value, -0) ? -0 : 0;
}

/** The number that bits of an `f32` or an `f64` stand for. */
function read(low: number, high: number, { bits }: ScalarType): number {
  if (bits === 64) words.setUint32(0, high);
  words.setUint32(bits === 64 ? 4 : 0, low);
  return bits === 64 ? words.getFloat64(0) : words.getFloat32(0);
}

/** Writes the number of a float that is nearest to a double. */
function write(out: Wide, value: number, { bits }: ScalarType, none = NOT_A_NUMBER): void {
  const isNumber = !Number.isNaN(value);
  if (bits === 64) {
    words.setFloat64(0, value);
    out.high = isNumber ? words.getUint32(0) : WIDE_NONE;
    out.low = isNumber ? words.getUint32(4) : 0;
    return;
  }
  words.setFloat32(0, value);
  out.low = isNumber ? words.getUint32(0) : none;
  out.high = 0;
}

/** A computation on floats; `null` where its result is not modelled. */
export function floatArithmetic(
  { operation: name, modifiers }: Compute,
  type: ScalarType,
): Arithmetic | null {
  const operation = OPERATIONS[name];
  if (!isModelled(type) || operation === undefined) return null;
  if (![...modifiers].every((modifier) => MODIFIERS.has(modifier))) return null;
  const flush = modifiers.has('ftz') ? flushed : (value: number): number => value;
  return {
    compute: (out, aLow, aHigh, bLow, bHigh) => {
      const exact = operation(flush(read(aLow, aHigh, type)), flush(read(bLow, bHigh, type)));
      write(out, flush(type.bits === 32 ? Math.fround(exact) : exact), type);
    },
  };
}

function isModelled({ name }: ScalarType): boolean {
  return name === 'f32' || name === 'f64';
}

function isWord({ bits, class: kind }: ScalarType): boolean {
  return bits === 32 && (kind === 'signed' || kind === 'unsigned');
}

/** A float between two integers is nearer to the even one. */
function nearest(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

const TO_INTEGER: Readonly<Partial<Record<ComputeModifier, (value: number) => number>>> = {
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
  rni: nearest,
};

/** The conversion `cvt.rounding.to.from` with a float; `null` where its result is not modelled. */
export function floatConversion(
  { modifiers }: Compute,
  to: ScalarType,
  from: ScalarType,
): Arithmetic | null {
  const [rounding] = modifiers;
  if (modifiers.size > 1) return null;
  if (isModelled(to) && (isModelled(from) || isWord(from))) {
    // What a double holds needs no rounding, which the opcode may name all the same.
    if (rounding !== 'rn' && !(rounding === undefined && to.bits === 64)) return null;
    return {
      compute: (out, low, high) => {
        const value = isModelled(from) ? read(low, high, from) : narrow(low, from);
        write(out, value, to, CONVERTED_NONE);
      },
    };
  }
  const round = rounding === undefined ? undefined : TO_INTEGER[rounding];
  if (!isModelled(from) || !isWord(to) || round === undefined) return null;
  const [least, most] = to.class === 'signed' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  const ofNone = from.bits === 64 ? 2 ** 31 : 0;
  return {
    compute: (out, low, high) => {
      const value = round(read(low, high, from));
      out.low = (Number.isNaN(value) ? ofNone : Math.min(most, Math.max(least, value))) >>> 0;
      out.high = 0;
    },
  };
}
