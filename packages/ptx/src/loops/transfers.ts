// What integer instructions make of values that grow with the rounds: exact, or nothing is known.
import type { Comparison, Compute, Effect } from '../isa/effect.ts';
import type { Operation } from '../isa/operation.ts';
import { scalarType } from '../isa/scalar-type.ts';
import type { ScalarType } from '../isa/scalar-type.ts';
import { isPacked, isSigned, narrow } from '../exec/warp/form.ts';
import { comparison } from '../exec/warp/compare.ts';
import { truthTable } from '../exec/warp/integer.ts';
import { ANY, EXACT, slope } from './reach.ts';
import type { Part, Reach, Shade, Slope } from './reach.ts';

/** An input of an instruction in one lane. */
export interface Input {
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
  readonly shade: Shade;
}

/** Where a value is looked at. */
export interface Place {
  readonly reach: Reach;
  readonly part: Part;
}

/** The shade of a result, from inputs of which one at least has one; none is {@link ANY}. */
export type Transfer = (inputs: readonly Input[], place: Place) => Shade;

/** Makes the transfer of a computation to a result of so many bits; `null`: nothing is known. */
type Make = (effect: Compute, type: ScalarType, bits: number) => Transfer | null;

const HALF = 2 ** 32;
const WIDEST = 2 ** 62;

function slopeOf({ shade }: Input): Slope | null {
  return shade === ANY ? null : shade;
}

/** The whole number that the bits of a type stand for. */
function valueOf({ low, high }: Input, type: ScalarType): number {
  if (type.bits < 64) return narrow(low, type);
  return (isSigned(type) ? high | 0 : high >>> 0) * HALF + low;
}

/** Whole numbers of a type; those of 64 bits only as far as no rounding matters. */
function bounds(type: ScalarType): readonly [number, number] {
  if (isSigned(type)) {
    const half = Math.min(2 ** (type.bits - 1), WIDEST);
    return [-half, half - 1];
  }
  return [0, Math.min(2 ** type.bits, WIDEST) - 1];
}

/** Whether an input is a whole number of a type in all rounds, and not cut to its width. */
function isWhole(input: Input, type: ScalarType, { reach, part }: Place): boolean {
  const [least, most] = bounds(type);
  return reach.within(valueOf(input, type), slopeOf(input), least, most, part);
}

function sum(one: Slope | null, other: Slope | null, factor: number, bits: number): Shade {
  const [t, m] = [one?.t ?? 0, one?.m ?? 0];
  return slope(t + factor * (other?.t ?? 0), m + factor * (other?.m ?? 0), bits);
}

function scaled(one: Slope | null, factor: number, bits: number): Shade {
  if (one === null) return null;
  return slope(one.t * factor, one.m * factor, bits);
}

/** The only input of two with a slope, and the other; `null` where both have one. */
function oneOf(a: Input, b: Input): readonly [Input, Input] | null {
  if (b.shade === null) return [a, b];
  return a.shade === null ? [b, a] : null;
}

/** The shade of `floor(value / divisor)`, and of the rest. */
function divided(
  value: number,
  { t, m }: Slope,
  divisor: number,
  bits: number,
  { reach, part }: Place,
): { readonly quotient: Shade; readonly rest: Shade } {
  const [qt, qm] = [Math.round(t / divisor), Math.round(m / divisor)];
  const rest = slope(t - qt * divisor, m - qm * divisor, 64);
  const own = value - Math.floor(value / divisor) * divisor;
  const isExact = rest !== ANY && reach.within(own, rest, 0, divisor - 1, part);
  return isExact ? { quotient: slope(qt, qm, bits), rest } : { quotient: ANY, rest: ANY };
}

const add =
  (sign: 1 | -1): Make =>
  ({ modifiers }, _type, bits) =>
    modifiers.has('sat') || modifiers.has('cc')
      ? null
      : ([a, b]) => sum(slopeOf(a!), slopeOf(b!), sign, bits);

/** The product of one input with a slope and one without, as a whole number. */
function product(a: Input, b: Input, type: ScalarType, bits: number, place: Place): Shade {
  const pair = oneOf(a, b);
  if (pair === null || !isWhole(pair[0], type, place)) return ANY;
  return scaled(slopeOf(pair[0]), valueOf(pair[1], type), bits);
}

/** The bits of a product above those of its type. */
function upperProduct(a: Input, b: Input, type: ScalarType, bits: number, place: Place): Shade {
  const pair = oneOf(a, b);
  if (type.bits !== 32 || pair === null || !isWhole(pair[0], type, place)) return ANY;
  const factor = valueOf(pair[1], type);
  const whole = scaled(slopeOf(pair[0]), factor, 64);
  if (whole === ANY || whole === null) return whole;
  // Of the product, which may not be exact as a number, only what is below 2^32 counts.
  const low = Number(BigInt.asUintN(32, BigInt(valueOf(pair[0], type)) * BigInt(factor)));
  return divided(low, whole, HALF, bits, place).quotient;
}

const multiply: Make = ({ modifiers }, type, bits) => {
  if (modifiers.has('hi')) return ([a, b], place) => upperProduct(a!, b!, type, bits, place);
  if (modifiers.has('wide'))
    return type.bits < 32 ? null : ([a, b], place) => product(a!, b!, type, 64, place);
  return ([a, b]) => {
    const pair = oneOf(a!, b!);
    return pair === null ? ANY : scaled(slopeOf(pair[0]), valueOf(pair[1], type), bits);
  };
};

const multiplyAdd: Make = (effect, type, bits) => {
  const times = multiply(effect, type, bits);
  const { modifiers } = effect;
  if (times === null || modifiers.has('sat') || modifiers.has('cc')) return null;
  return ([a, b, c], place) => {
    const shade = a!.shade === null && b!.shade === null ? null : times([a!, b!], place);
    return shade === ANY ? ANY : sum(shade, slopeOf(c!), 1, bits);
  };
};

const shiftLeft: Make = (_effect, type, bits) => {
  return ([a, count]) => {
    if (count!.shade !== null) return ANY;
    return count!.low >= type.bits ? null : scaled(slopeOf(a!), 2 ** count!.low, bits);
  };
};

function shiftedRight(a: Input, count: number, type: ScalarType, place: Place): Shade {
  const own = slopeOf(a);
  if (own === null) return null;
  if (count >= type.bits || !isWhole(a, type, place)) return ANY;
  return divided(valueOf(a, type), own, 2 ** count, type.bits, place).quotient;
}

/** The type whose bits a shift fills with zeros unless it is signed. */
const shiftRight: Make = (_effect, type) => {
  return ([a, count], place) =>
    count!.shade === null ? shiftedRight(a!, count!.low, type, place) : ANY;
};

const extract: Make = (_effect, type) => {
  if (isSigned(type) || type.bits !== 32) return null;
  return ([a, position, length], place) => {
    if (position!.shade !== null || length!.shade !== null) return ANY;
    const [from, count] = [position!.low & 0xff, length!.low & 0xff];
    if (from + count > 32) return ANY;
    const own = slopeOf(a!)!;
    const size = 2 ** (from + count);
    if (own.t % size === 0 && own.m % size === 0) return null;
    const shifted = shiftedRight(a!, from, type, place);
    if (shifted === ANY || shifted === null) return shifted;
    return divided(a!.low >>> from, shifted, 2 ** count, 32, place).rest;
  };
};

/** The zeros at the low end of both numbers of a slope. */
function evenBits({ t, m }: Slope): number {
  let bits = 0;
  for (let size = 2; bits < 52 && t % size === 0 && m % size === 0; size *= 2) bits++;
  return bits;
}

/** A bitwise function of one input with a slope: `zeros` of it, and `ones` of all bits set. */
function bitwise(own: Slope, zeros: bigint, ones: bigint, bits: number): Shade {
  const even = BigInt(evenBits(own));
  const all = (1n << BigInt(bits)) - 1n;
  const [upper, least, most] = [all, zeros, ones].map((each) => (each & all) >> even) as [
    bigint,
    bigint,
    bigint,
  ];
  // Bits below the zeros of the slope do not change. Those above do not count, are kept, or turned.
  if (least === most) return null;
  if (least === 0n && most === upper) return own;
  return least === upper && most === 0n ? slope(-own.t, -own.m, bits) : ANY;
}

function wideOf({ low, high }: Input): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Logic on predicates: one that is known may decide the result. */
function decides(value: 0 | 1): Transfer {
  return (inputs) => {
    const isDecided = inputs.some(
      ({ shade, isKnown, low }) => shade === null && isKnown && (low & 1) === value,
    );
    return isDecided ? null : ANY;
  };
}

function logic(apply: (x: bigint, other: bigint) => bigint, decisive: 0 | 1 | null): Make {
  return (_effect, type, bits) => {
    if (type.class === 'predicate') return decisive === null ? null : decides(decisive);
    return ([a, b], place) => {
      const pair = oneOf(a!, b!);
      if (pair === null) return ANY;
      const own = slopeOf(pair[0])!;
      const other = wideOf(pair[1]);
      const shade = bitwise(own, apply(0n, other), apply(-1n, other), bits);
      if (shade !== ANY || decisive !== 0 || type.bits !== 32) return shade;
      // A mask of low bits is the rest of a division, and its opposite takes the rest away.
      const mask = pair[1].low >>> 0;
      const value = pair[0].low >>> 0;
      // Above its highest bit, a mask does not matter where the value has none there.
      const top = 2 ** (32 - Math.clz32(mask));
      const [keeps, drops] = [mask + 1, top - mask];
      const size = isPower(keeps) ? keeps : drops;
      const most = size === keeps ? HALF - 1 : top - 1;
      if (!isPower(size) || !place.reach.within(value, own, 0, most, place.part)) return ANY;
      const { rest } = divided(value, own, size, bits, place);
      return rest === ANY ? ANY : size === keeps ? rest : sum(own, rest, -1, bits);
    };
  };
}

function isPower(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

const not: Make = (_effect, type, bits) =>
  type.class === 'predicate' ? null : ([a]) => scaled(slopeOf(a!), -1, bits);

const lookup: Transfer = ([a, b, c, table]) => {
  const inputs = [a!, b!, c!];
  const sloped = inputs.filter(({ shade }) => shade !== null);
  if (sloped.length !== 1 || table!.shade !== null) return ANY;
  const at = (x: number): bigint => {
    const [p, q, r] = inputs.map((input) => (input === sloped[0] ? x : input.low));
    return BigInt(truthTable(p!, q!, r!, table!.low));
  };
  return bitwise(slopeOf(sloped[0]!)!, at(0), at(0xffff_ffff), 32);
};

/** Whether `a - b` has one sign in all rounds, or is 0 in all: a comparison has one result. */
function isDecided(a: Input, b: Input, type: ScalarType, place: Place): boolean {
  if (a.shade === ANY || b.shade === ANY) return false;
  if (!isWhole(a, type, place) || !isWhole(b, type, place)) return false;
  const difference = sum(slopeOf(a), slopeOf(b), -1, 64);
  const value = valueOf(a, type) - valueOf(b, type);
  if (difference === null) return true;
  if (difference === ANY) return false;
  const { reach, part } = place;
  return value < 0
    ? reach.within(value, difference, -EXACT, -1, part)
    : value > 0
      ? reach.within(value, difference, 1, EXACT, part)
      : false;
}

/** Whether `a < b` has one result, which `a <= b` need not have: equality belongs to one side. */
function isDecidedBy(
  name: Comparison,
  a: Input,
  b: Input,
  type: ScalarType,
  place: Place,
): boolean {
  if (/^(eq|ne)$/.test(name)) return isDecided(a, b, type, place);
  if (a.shade === ANY || b.shade === ANY) return false;
  if (!isWhole(a, type, place) || !isWhole(b, type, place)) return false;
  const difference = sum(slopeOf(a), slopeOf(b), -1, 64);
  if (difference === null || difference === ANY) return difference === null;
  const value = valueOf(a, type) - valueOf(b, type);
  const { reach, part } = place;
  // `lt` and `ge` divide at 0, `le` and `gt` behind it.
  const isStrict = /^(lt|lo|ge|hs)$/.test(name);
  const split = isStrict ? 0 : 1;
  return value >= split
    ? reach.within(value, difference, split, EXACT, part)
    : reach.within(value, difference, -EXACT, split - 1, part);
}

const ORDERS = /^(eq|ne|lt|le|gt|ge|lo|ls|hi|hs)$/;
const DECISIVE = { and: 0, or: 1, xor: null } as const;

/** How a comparison reads its inputs: `.b32` has an order of its own only for equality. */
function compareWith(effect: Compute): Transfer | null {
  const { comparison: name, combination, types } = effect;
  const type = types[0]!;
  if (name === null || !ORDERS.test(name) || type.class === 'float') return null;
  const compare = comparison(name, type, effect)!;
  const unsigned = /^(lo|ls|hi|hs)$/.test(name) ? scalarType(`u${type.bits}`)! : type;
  const decisive = combination === null ? null : DECISIVE[combination];
  return ([a, b, other], place) => {
    const isCompared = isKnownPair(a!, b!) && isDecidedBy(name, a!, b!, unsigned, place);
    if (other === undefined) return isCompared ? null : ANY;
    const isOther = other.shade === null && other.isKnown;
    if (isCompared && isOther) return null;
    if (decisive === null) return ANY;
    const holds = compare(a!.low, a!.high, b!.low, b!.high) ? 1 : 0;
    if (isCompared && holds === decisive) return null;
    return isOther && (other.low & 1) === decisive ? null : ANY;
  };
}

function isKnownPair(a: Input, b: Input): boolean {
  return a.isKnown && b.isKnown;
}

const choose: Transfer = ([a, b, chooser]) => {
  if (chooser!.shade !== null) {
    const isOne =
      a!.shade === null && b!.shade === null && a!.low === b!.low && a!.high === b!.high;
    return isOne && isKnownPair(a!, b!) ? null : ANY;
  }
  if (!chooser!.isKnown) return ANY;
  return (chooser!.low & 1) === 1 ? a!.shade : b!.shade;
};

const extreme =
  (isSmaller: boolean): Make =>
  ({ modifiers }, type) =>
    modifiers.has('relu')
      ? null
      : ([a, b], place) => {
          if (!isDecidedBy('le', a!, b!, type, place)) return ANY;
          const isBelow = valueOf(a!, type) <= valueOf(b!, type);
          return isBelow === isSmaller ? a!.shade : b!.shade;
        };

const divide =
  (part: 'quotient' | 'rest'): Make =>
  (_effect, type, bits) =>
  ([a, b], place) => {
    const own = slopeOf(a!);
    if (b!.shade !== null || own === null) return ANY;
    const divisor = valueOf(b!, type);
    const [, most] = bounds(type);
    const value = valueOf(a!, type);
    if (divisor <= 0 || !place.reach.within(value, own, 0, most, place.part)) return ANY;
    return divided(value, own, divisor, bits, place)[part];
  };

/** A conversion between integers. */
function convert({ types: [to, from], modifiers }: Compute, bits: number): Transfer | null {
  if (to === undefined || from === undefined) return null;
  if (to.class === 'float' || from.class === 'float' || modifiers.has('pack')) return null;
  const isSaturating = modifiers.has('sat');
  return ([a], place) => {
    const own = slopeOf(a!);
    if (own === null) return ANY;
    const size = 2 ** Math.min(to.bits, from.bits);
    const isSame = !isSaturating && own.t % size === 0 && own.m % size === 0;
    if (isSame && size < EXACT) return null;
    const isCut = to.bits <= from.bits && bits === to.bits && !isSaturating;
    if (isCut) return slope(own.t, own.m, to.bits);
    if (!isWhole(a!, from, place)) return ANY;
    const [least, most] = bounds(to);
    const isWithin = place.reach.within(valueOf(a!, from), own, least, most, place.part);
    return isWithin ? slope(own.t, own.m, bits) : ANY;
  };
}

const TRANSFERS: Readonly<Partial<Record<Operation, Make>>> = {
  add: add(1),
  sub: add(-1),
  mul: multiply,
  mad: multiplyAdd,
  neg:
    (_effect, _type, bits) =>
    ([a]) =>
      scaled(slopeOf(a!), -1, bits),
  shl: shiftLeft,
  shr: shiftRight,
  bfe: extract,
  and: logic((x, other) => x & other, 0),
  or: logic((x, other) => x | other, 1),
  xor: logic((x, other) => x ^ other, null),
  not,
  min: extreme(true),
  max: extreme(false),
  div: divide('quotient'),
  rem: divide('rest'),
};

/** A transfer of inputs that are all known, in some way. */
export function ofKnown(transfer: Transfer): Transfer {
  return (inputs, place) =>
    inputs.some(({ isKnown, shade }) => !isKnown || shade === ANY) ? ANY : transfer(inputs, place);
}

/** What an instruction makes of shades, for a result of so many bits; `null`: nothing is known. */
export function transferOf(effect: Effect, bits: number): Transfer | null {
  if (effect.kind !== 'compute') return null;
  if (effect.operation === 'setp') return compareWith(effect);
  if (effect.operation === 'selp') return choose;
  const transfer = arithmetic(effect, bits);
  const isOfPredicates = effect.types.at(-1)?.class === 'predicate';
  return transfer === null || isOfPredicates ? transfer : ofKnown(transfer);
}

function arithmetic(effect: Compute, bits: number): Transfer | null {
  const { operation, combination, modifiers, space } = effect;
  if (operation === 'lop3') return combination === null ? lookup : null;
  if (operation === 'cvt') return convert(effect, bits);
  const type = effect.types.at(-1);
  if (type === undefined || type.class === 'float' || isPacked(type)) return null;
  // Addresses of shared and local memory become others.
  if (operation === 'cvta' && (space === 'shared' || space === 'local')) return null;
  if (operation === 'mov' || operation === 'cvta')
    return type.bits === bits ? ([a]) => a!.shade : null;
  const make = TRANSFERS[operation];
  if (make === undefined || (type.bits !== bits && !modifiers.has('wide'))) return null;
  return make(effect, type, bits);
}
