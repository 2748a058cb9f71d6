// Logic on words and predicates: and, or, xor, not, cnot. A known 0 decides `and`, a known 1 `or`.
import type { ScalarType } from '../../isa/scalar-type.ts';
import * as wide from '../../values/wide.ts';
import type { ComputePartly } from './operation.ts';
import { truncate } from './form.ts';
import type { ArithmeticFamily } from './integer.ts';
import { NEGATED, neutral } from './same-term.ts';

const isWide = (type: ScalarType): boolean => type.bits === 64;

/** Whether a known input has the value in all bits of the type. */
function decides(type: ScalarType, bit: 0 | 1): ComputePartly {
  const word = bit === 0 ? 0 : truncate(-1, type.bits);
  const upper = bit === 1 && isWide(type) ? 0xffff_ffff : 0;
  const is = (low: number, high: number): boolean =>
    truncate(low, type.bits) === word && (!isWide(type) || high === upper);
  return (out, known, aLow, aHigh, bLow, bHigh) => {
    const isDecided =
      ((known & 1) !== 0 && is(aLow, aHigh)) || ((known & 2) !== 0 && is(bLow, bHigh));
    if (isDecided) wide.set(out, word, upper);
    return isDecided;
  };
}

/** Logic instructions. */
export const LOGIC: ArithmeticFamily = {
  and: (_effect, type) => ({
    compute: (out, aL, aH, bL, bH) => wide.set(out, aL & bL, aH & bH),
    partly: decides(type, 0),
    term: neutral(type, 1),
  }),
  or: (_effect, type) => ({
    compute: (out, aL, aH, bL, bH) => wide.set(out, aL | bL, aH | bH),
    partly: decides(type, 1),
    term: neutral(type, 0),
  }),
  xor: (_effect, type) => ({
    compute: (out, aL, aH, bL, bH) => wide.set(out, aL ^ bL, aH ^ bH),
    term: neutral(type, 0),
  }),
  not: (_effect, type) => ({
    compute: (out, low, high) => wide.set(out, truncate(~low, type.bits), isWide(type) ? ~high : 0),
    ...(type.name === 'pred' ? { term: NEGATED } : {}),
  }),
  cnot: (_effect, type) => ({
    compute: (out, low, high) =>
      wide.set(out, low === 0 && (!isWide(type) || high === 0) ? 1 : 0, 0),
  }),
};
