// Unknown results that are an input, its opposite, or what another instruction computes.
import type { Comparison } from '../../isa/effect.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { isOutOfOrder, mix, negate, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { ComputeTerm } from './operation.ts';
import { isSigned, truncate } from './form.ts';

/** A copy has the identity of what is copied. */
export const COPIED: ComputeTerm = (out, _known, low, high) => {
  out.low = low;
  out.high = high;
  return true;
};

/** The opposite of a predicate. */
export const NEGATED: ComputeTerm = (out, _known, low, high) => {
  out.low = low;
  out.high = high;
  negate(out);
  return true;
};

/** An operation on two inputs that leaves the one where the other is known to be all `bit`. */
export function neutral(type: ScalarType, bit: 0 | 1): ComputeTerm {
  const low = bit === 0 ? 0 : truncate(-1, type.bits) >>> 0;
  const high = bit === 1 && type.bits === 64 ? 0xffff_ffff : 0;
  const is = (aLow: number, aHigh: number): boolean =>
    truncate(aLow, type.bits) >>> 0 === low && (type.bits < 64 || aHigh === high);
  return (out, known, aLow, aHigh, bLow, bHigh) => {
    const isFirst = (known & 3) === 2 && is(bLow, bHigh);
    if (!isFirst && !((known & 3) === 1 && is(aLow, aHigh))) return false;
    out.low = isFirst ? aLow : bLow;
    out.high = isFirst ? aHigh : bHigh;
    return true;
  };
}

/** How an order of integers follows from `eq` or `lt`. */
interface Derived {
  readonly from: 'eq' | 'lt';
  readonly isSwapped: boolean;
  readonly isOpposite: boolean;
}

function derived(from: 'eq' | 'lt', isSwapped: boolean, isOpposite: boolean): Derived {
  return { from, isSwapped, isOpposite };
}

const DERIVED: Readonly<Partial<Record<Comparison, Derived>>> = {
  eq: derived('eq', false, false),
  ne: derived('eq', false, true),
  lt: derived('lt', false, false),
  lo: derived('lt', false, false),
  gt: derived('lt', true, false),
  hi: derived('lt', true, false),
  ge: derived('lt', false, true),
  hs: derived('lt', false, true),
  le: derived('lt', true, true),
  ls: derived('lt', true, true),
};

const next: Wide = { low: 0, high: 0 };

/** The integer above one, in `next`; whether the type has it. */
function hasNext(type: ScalarType, low: number, high: number): boolean {
  if (type.bits < 32) return false;
  const top = isSigned(type) ? 0x7fff_ffff : 0xffff_ffff;
  const isHalf = low === 0xffff_ffff;
  if (type.bits === 32 ? low === top : isHalf && high === top) return false;
  next.low = (low + 1) >>> 0;
  next.high = type.bits === 64 && isHalf ? (high + 1) >>> 0 : high;
  return true;
}

/** Comparisons of the same integers have the same term, or opposite ones. */
export function compared(name: Comparison, type: ScalarType, isNegated: boolean): ComputeTerm {
  const rule = type.class === 'float' ? undefined : DERIVED[name];
  if (rule === undefined) return () => false;
  const seed = seedOf(`${rule.from}.${type.name}`);
  const isOpposite = rule.isOpposite !== isNegated;
  return (out, known, aLow, aHigh, bLow, bHigh) => {
    start(out, seed);
    const isSwapped = rule.from === 'eq' ? isOutOfOrder(aLow, aHigh, bLow, bHigh) : rule.isSwapped;
    const constant = isSwapped ? 2 : 1;
    const isConstant = rule.from === 'lt' && (known & 3) === constant;
    if (isConstant && hasNext(type, isSwapped ? bLow : aLow, isSwapped ? bHigh : aHigh)) {
      // 0 < a is no a < 1.
      if (isSwapped) mix(out, aLow, aHigh, 0);
      else mix(out, bLow, bHigh, 0);
      mix(out, next.low, next.high, constant);
      if (!isOpposite) negate(out);
      return true;
    }
    if (isSwapped) mix(out, bLow, bHigh, known & 2);
    mix(out, aLow, aHigh, known & 1);
    if (!isSwapped) mix(out, bLow, bHigh, known & 2);
    if (isOpposite) negate(out);
    return true;
  };
}
