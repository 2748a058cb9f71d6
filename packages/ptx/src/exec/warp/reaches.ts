// How far the result of a computation may reach, from how far its inputs do: a small set of
// operations, of which addresses and the predicates of tails are made.
import type { Comparison, Compute } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import * as reach from '../../values/reach.ts';
import { both, either, field } from '../../values/reach-of-bits.ts';
import type { Orders } from '../../values/origin.ts';
import type { Reach } from '../../values/reach.ts';
import { isFloat, isPacked, isSigned } from './form.ts';

/** The result of known inputs. */
export type ReachRule = (...inputs: readonly Reach[]) => Reach;

type RuleOf = (effect: Compute, type: ScalarType) => ReachRule | null;

/** The integer that a type reads. */
function read(type: ScalarType): (value: Reach) => Reach {
  return (value) => (isSigned(type) ? reach.signed : reach.unsigned)(value, type.bits);
}

const isWord = ({ bits }: ScalarType): boolean => bits === 32 || bits === 64;

/** A rule for words, whose result is what their bits are modulo their size. */
function ofWords(rule: ReachRule): RuleOf {
  return ({ modifiers }, type) => (isWord(type) && !modifiers.has('sat') ? rule : null);
}

const multiply: RuleOf = ({ modifiers }, type) => {
  const cut = read(type);
  if (modifiers.has('wide')) return (a, b) => reach.product(cut(a!), cut(b!));
  if (!isWord(type)) return null;
  if (!modifiers.has('hi')) return (a, b) => reach.product(a!, b!);
  if (type.bits === 64) return null;
  return (a, b) => reach.highProduct(cut(a!), cut(b!));
};

const multiplyAdd: RuleOf = (effect, type) => {
  const product = effect.modifiers.has('sat') ? null : multiply(effect, type);
  return product === null ? null : (a, b, c) => reach.sum(product(a!, b!), c!);
};

/** A shift by a number that is known. */
function shift(shifted: (value: Reach, by: number) => Reach): ReachRule {
  return (value, by) => {
    const count = reach.constantOf(by!);
    if (count === null || count < 0 || count >= 64)
      return reach.anyOf(64, reach.stillIf(value!, by!));
    return shifted(value!, 2 ** count);
  };
}

/** Division of a value that is not negative by a positive constant. */
function division(divided: (value: Reach, by: number) => Reach): RuleOf {
  return (_effect, type) => {
    if (!isWord(type)) return null;
    const cut = read(type);
    return (value, by) => {
      const divisor = reach.constantOf(cut(by!));
      const whole = cut(value!);
      if (divisor === null || divisor <= 0 || whole.least < 0)
        return reach.anyOf(type.bits, reach.stillIf(value!, by!));
      return divided(whole, divisor);
    };
  };
}

function extreme(isSmaller: boolean): RuleOf {
  return ({ modifiers }, type) => {
    if (!isWord(type) || modifiers.has('relu')) return null;
    const cut = read(type);
    return (a, b) => reach.extremeOf(cut(a!), cut(b!), isSmaller);
  };
}

/** Logic on words; predicates are known, or not. */
function logic(rule: (a: Reach, b: Reach, bits: number) => Reach): RuleOf {
  return (_effect, type) => (a, b) => rule(a!, b!, type.name === 'pred' ? 1 : type.bits);
}

/** The opposite of a predicate. */
export const NOT_REACH: ReachRule = (a) => reach.difference(reach.exactly(1), a!);

const RULES: Readonly<Partial<Record<Operation, RuleOf>>> = {
  add: ofWords((a, b) => reach.sum(a!, b!)),
  sub: ofWords((a, b) => reach.difference(a!, b!)),
  neg: ofWords((a) => reach.difference(reach.exactly(0), a!)),
  mul: multiply,
  mad: multiplyAdd,
  shl: ofWords(shift((value, by) => reach.product(value, reach.exactly(by)))),
  shr: (_effect, type) => {
    const cut = read(type);
    return isWord(type) ? shift((value, by) => reach.quotient(cut(value), by)) : null;
  },
  bfe: (_effect, type) => {
    if (type.bits !== 32 || isSigned(type)) return null;
    const cut = read(type);
    return (a, b, c) => field(cut(a!), b!, c!);
  },
  div: division(reach.quotient),
  rem: division(reach.remainder),
  min: extreme(true),
  max: extreme(false),
  and: logic(both),
  or: logic((a, b, bits) => either(a, b, bits, false)),
  xor: logic((a, b, bits) => either(a, b, bits, true)),
  not: (_effect, type) =>
    type.name === 'pred' ? NOT_REACH : (a) => reach.difference(reach.exactly(-1), a!),
};

/** How far the result of arithmetic or logic reaches; `undefined`: anywhere. */
export function reachOf(effect: Compute, type: ScalarType): ReachRule | undefined {
  if (isFloat(type) || isPacked(type)) return undefined;
  return RULES[effect.operation]?.(effect, type) ?? undefined;
}

export const COPIED_REACH: ReachRule = (a) => a!;

/** A conversion between integers. */
export function convertedReach(to: ScalarType, from: ScalarType, registerBits: number): ReachRule {
  const cut = read(from);
  const result = read(to);
  return (a) => {
    const value = cut(a!);
    // A narrow result is extended to its register.
    return to.bits < registerBits ? result(value) : value;
  };
}

/** Which orders of two integers a comparison holds for. */
const HOLDS: Readonly<
  Partial<Record<Comparison, readonly [below: boolean, equal: boolean, above: boolean]>>
> = {
  eq: [false, true, false],
  ne: [true, false, true],
  lt: [true, false, false],
  lo: [true, false, false],
  le: [true, true, false],
  ls: [true, true, false],
  gt: [false, false, true],
  hi: [false, false, true],
  ge: [false, true, true],
  hs: [false, true, true],
};

/** In which orders of two words a comparison holds, or does not; nothing for others. */
export function ordersOf(
  { comparison, combination }: Compute,
  type: ScalarType,
  isNegated: boolean,
): { orders?: Orders } {
  const holds = comparison === null ? undefined : HOLDS[comparison];
  const isOfWords = type.bits === 32 && !isFloat(type) && !isPacked(type);
  if (holds === undefined || combination !== null || !isOfWords) return {};
  const [below, equal, above] = holds.map((each) => each !== isNegated) as [
    boolean,
    boolean,
    boolean,
  ];
  return { orders: { below, equal, above, isSigned: isSigned(type) } };
}

/** A comparison of integers, or that it does not hold, combined with a predicate. */
export function comparedReach(
  { comparison, combination }: Compute,
  type: ScalarType,
  isNegated: boolean,
): ReachRule | undefined {
  const holds = comparison === null ? undefined : HOLDS[comparison];
  if (holds === undefined || isFloat(type) || type.name === 'pred') return undefined;
  const cut = read(type);
  return (a, b, other) => {
    const [one, two] = [cut(a!), cut(b!)];
    const { least, most, moves } = reach.apart(one, two);
    const orders = [least < 0, least <= 0 && most >= 0, most > 0];
    const possible = holds.filter((_, order) => orders[order]);
    const isTrue = possible.every((each) => each !== isNegated);
    const isFalse = possible.every((each) => each === isNegated);
    const compared = reach.predicate(isTrue, isFalse, { ...one, moves });
    if (combination === null) return compared;
    if (combination === 'and') return both(compared, other!, 1);
    return either(compared, other!, 1, combination === 'xor');
  };
}

/** The first or the second input, by whether the third one is not 0. */
export const SELECTED_REACH: ReachRule = (a, b, c) => {
  const chosen = reach.constantOf(c!);
  if (chosen !== null) return chosen === 0 ? b! : a!;
  return reach.oneOf(a!, b!);
};
