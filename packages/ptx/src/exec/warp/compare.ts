// Comparisons of `setp`, `set` and `slct`: integers of all widths, predicates, and known floats.
import type { Comparison as Name, Compute } from '../../isa/effect.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { isBelow, isBelowSigned } from '../../values/wide.ts';
import { flushed } from './float.ts';
import { isSigned, narrow } from './form.ts';

/** Whether a comparison holds for two values in halves. */
export type Comparison = (aLow: number, aHigh: number, bLow: number, bHigh: number) => boolean;

/** Which orders of two values satisfy each comparison. */
interface Accepts {
  readonly below: boolean;
  readonly equal: boolean;
  readonly above: boolean;
  /** Whether it holds where one is not a number. */
  readonly unordered: boolean;
}

function accepts(below: boolean, equal: boolean, above: boolean, unordered = false): Accepts {
  return { below, equal, above, unordered };
}

const COMPARISONS: Readonly<Record<Name, Accepts>> = {
  eq: accepts(false, true, false),
  ne: accepts(true, false, true),
  lt: accepts(true, false, false),
  lo: accepts(true, false, false),
  le: accepts(true, true, false),
  ls: accepts(true, true, false),
  gt: accepts(false, false, true),
  hi: accepts(false, false, true),
  ge: accepts(false, true, true),
  hs: accepts(false, true, true),
  equ: accepts(false, true, false, true),
  neu: accepts(true, false, true, true),
  ltu: accepts(true, false, false, true),
  leu: accepts(true, true, false, true),
  gtu: accepts(false, false, true, true),
  geu: accepts(false, true, true, true),
  num: accepts(true, true, true),
  nan: accepts(false, false, false, true),
};

/** Two integers, and all between them. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Whether a comparison holds for all numbers of two intervals, or for none; `null`: for some. */
export function holdsAlways(name: Name, one: Interval, other: Interval): boolean | null {
  const { below, equal, above } = COMPARISONS[name];
  const answers = new Set<boolean>();
  if (one.from < other.to) answers.add(below);
  if (one.to > other.from) answers.add(above);
  if (one.from <= other.to && other.from <= one.to) answers.add(equal);
  const [answer, ...others] = answers;
  return others.length > 0 ? null : answer!;
}

const words = new DataView(new ArrayBuffer(8));

/** The number of a float's bits; only `f32` and `f64` are read. */
function float(low: number, high: number, type: ScalarType): number {
  if (type.bits === 32) {
    words.setUint32(0, low);
    return words.getFloat32(0);
  }
  words.setUint32(0, high);
  words.setUint32(4, low);
  return words.getFloat64(0);
}

/**
 * The comparison that a name and a type mean; `null` where the type is not compared. Subnormal
 * numbers are zeros where it flushes them.
 */
export function comparison(
  name: Name,
  type: ScalarType,
  { modifiers }: Pick<Compute, 'modifiers'>,
): Comparison | null {
  const { below, equal, above, unordered } = COMPARISONS[name];
  if (type.class === 'float') {
    if (type.name !== 'f32' && type.name !== 'f64') return null;
    const read = modifiers.has('ftz')
      ? (low: number, high: number): number => flushed(float(low, high, type))
      : (low: number, high: number): number => float(low, high, type);
    return (aLow, aHigh, bLow, bHigh) => {
      const a = read(aLow, aHigh);
      const b = read(bLow, bHigh);
      if (Number.isNaN(a) || Number.isNaN(b)) return unordered;
      return a < b ? below : a === b ? equal : above;
    };
  }
  if (type.bits === 64) {
    const isLess = isSigned(type) ? isBelowSigned : isBelow;
    return (aLow, aHigh, bLow, bHigh) => {
      if (aLow === bLow && aHigh === bHigh) return equal;
      return isLess(aLow, aHigh, bLow, bHigh) ? below : above;
    };
  }
  return (aLow, _1, bLow) => {
    const a = narrow(aLow, type);
    const b = narrow(bLow, type);
    return a < b ? below : a === b ? equal : above;
  };
}
