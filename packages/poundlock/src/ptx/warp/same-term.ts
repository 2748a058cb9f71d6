// Unknown results that are an input, its opposite, or what another instruction computes.
import type { ScalarType } from '../text/scalar-type.ts';
import { isOutOfOrder, mix, negate, seedOf, start } from '../values/terms.ts';
import type { ComputeTerm } from './elementwise.ts';
import { truncate } from './form.ts';

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

const DERIVED: Readonly<Record<string, Derived>> = {
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

/** Comparisons of the same integers have the same term, or opposite ones. */
export function compared(name: string, type: ScalarType, isNegated: boolean): ComputeTerm {
  const rule = type.class === 'float' ? undefined : DERIVED[name];
  if (rule === undefined) return () => false;
  const seed = seedOf(`${rule.from}.${type.name}`);
  const isOpposite = rule.isOpposite !== isNegated;
  return (out, known, aLow, aHigh, bLow, bHigh) => {
    start(out, seed);
    const isSwapped = rule.from === 'eq' ? isOutOfOrder(aLow, aHigh, bLow, bHigh) : rule.isSwapped;
    if (isSwapped) mix(out, bLow, bHigh, known & 2);
    mix(out, aLow, aHigh, known & 1);
    if (!isSwapped) mix(out, bLow, bHigh, known & 2);
    if (isOpposite) negate(out);
    return true;
  };
}
