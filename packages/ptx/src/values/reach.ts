// What is known of a value in all lanes of a warp and in all blocks of a grid: between which
// integers it lies, and how it moves with the place of its block.
//
// A register of n bits holds some integer modulo 2^n: sums, differences and products need no more.
// Where a value is widened, divided or compared, it is the integer that its type says.
import {
  formOf,
  formQuotient,
  formSum,
  quotientIdentity,
  scaledForm,
  type Form,
  type QuotientOf,
} from './forms.ts';

/** What a value moves with: an axis of the grid, or another value of the block. */
export type Mover = number | object;

/** By how much a value grows where a mover grows by one. */
export type Moves = ReadonlyMap<Mover, number>;

/** The moves of a value that each lane has in all blocks alike. */
export const STILL: Moves = new Map();

/** Two numbers, and all between them. */
export type Range = readonly [least: number, most: number];

/** What is known of a value. */
export interface Reach {
  readonly least: number;
  readonly most: number;
  /** How far it is from what it is in another block, in each lane; `null`: that is not known. */
  readonly moves: Moves | null;
  /** How many of its low bits are 0. */
  readonly zeros: number;
  /** The bounds of what it is beside what moves it; missing: they are not known. */
  readonly rest?: Range;
  /** How far each lane is from the first one, in all blocks alike; missing: that is not known. */
  readonly lanes?: Range;
  /** Another value that it is nearly a multiple of: a quotient by a constant, or its multiple. */
  readonly near?: Near;
  /** What it is a sum of, where that has quotients; missing: of itself. */
  readonly form?: Form;
  /** What the value is known by; missing: by this object. */
  readonly identity?: object;
  /** What it is a quotient of. */
  readonly quotientOf?: QuotientOf;
}

/** `ratio` times a value, and something between two numbers. */
interface Near {
  readonly value: Reach;
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
}

/** What the multiple of a value may be wrong by, as numbers with 53 bits are, up to a size. */
const SLACK = 0.01;
const LARGEST = 2 ** 44;

/** What a value is that is near another one: within the bounds of both. */
export function withNear(reach: Reach, near: Near): Reach {
  const { value, ratio, least, most } = near;
  const ends = [value.least * ratio, value.most * ratio];
  const slack = ratio === 0 ? 0 : SLACK;
  const first = Math.floor(Math.min(...ends) + least - slack);
  const last = Math.ceil(Math.max(...ends) + most + slack);
  const isExact = Number.isSafeInteger(first) && Number.isSafeInteger(last);
  if (!isExact || Math.max(-value.least, value.most) > LARGEST) return reach;
  const [from, to] = [Math.max(first, reach.least), Math.min(last, reach.most)];
  if (from > to) return reach;
  return { ...reach, ...between(from, to, reach.moves, reach.zeros), near };
}

/** The sum of a value and one that is near it, or near another one. */
function nearSum(one: Reach, other: Reach): Near | null {
  const [near, added] = one.near === undefined ? [other.near, one] : [one.near, other];
  if (near === undefined) return null;
  const { value, ratio, least, most } = near;
  if (added === value) return { value, ratio: ratio + 1, least, most };
  if (added.near?.value === value) {
    const { near: second } = added;
    return {
      value,
      ratio: ratio + second.ratio,
      least: least + second.least,
      most: most + second.most,
    };
  }
  return { value, ratio, least: least + added.least, most: most + added.most };
}

function scaledNear({ value, ratio, least, most }: Near, factor: number): Near {
  const ends = [least * factor, most * factor];
  return { value, ratio: ratio * factor, least: Math.min(...ends), most: Math.max(...ends) };
}

const MAX_ZEROS = 52;

/** How many low bits of an integer are 0. */
export function zerosOf(value: number): number {
  if (!Number.isSafeInteger(value)) return 0;
  let rest = Math.abs(value);
  if (rest === 0) return MAX_ZEROS;
  let count = 0;
  for (; rest % 2 === 0; rest /= 2) count++;
  return count;
}

/** A value of which bounds are known. */
export function between(least: number, most: number, moves: Moves | null, zeros = 0): Reach {
  const isExact = Number.isSafeInteger(least) && Number.isSafeInteger(most);
  if (!isExact) return { least: -Infinity, most: Infinity, moves, zeros };
  // Multiples of a power of 2 alone.
  const unit = 2 ** zeros;
  const [first, last] = [Math.ceil(least / unit) * unit, Math.floor(most / unit) * unit];
  if (first > last) return { least, most, moves, zeros };
  return { least: first, most: last, moves: first === last ? STILL : moves, zeros };
}

/** What a value is beside what moves it; `null`: that is not known. */
export function restOf({ least, most, moves, rest }: Reach): Range | null {
  if (moves === null || !Number.isFinite(least)) return null;
  return moves.size === 0 ? [least, most] : (rest ?? null);
}

/** A value with what it is beside what moves it. */
export function withRest(reach: Reach, rest: Range | null): Reach {
  if (rest === null || reach.moves === null || reach.moves.size === 0) return reach;
  return rest.every((each) => Number.isSafeInteger(each)) ? { ...reach, rest } : reach;
}

/** A constant. */
export function exactly(value: number): Reach {
  return between(value, value, STILL, zerosOf(value));
}

/** Any value of some bits. */
export function anyOf(bits: number, moves: Moves | null): Reach {
  return between(0, 2 ** bits - 1, moves);
}

/** What moves where nothing is known of how, unless all inputs are still. */
export function stillIf(...inputs: readonly Reach[]): Moves | null {
  return inputs.every(isStill) ? STILL : null;
}

/** Whether each lane has it in all blocks alike. */
export function isStill({ moves }: Reach): boolean {
  return moves !== null && moves.size === 0;
}

/** The value of a constant; `null`: it is none. */
export function constantOf(reach: Reach): number | null {
  return reach.least === reach.most && isStill(reach) ? reach.least : null;
}

function sumOf(one: Moves | null, other: Moves | null, sign: 1 | -1): Moves | null {
  if (one === null || other === null) return null;
  if (other.size === 0) return one;
  const sum = new Map(one);
  for (const [mover, by] of other) {
    const total = (sum.get(mover) ?? 0) + sign * by;
    if (total === 0) sum.delete(mover);
    else sum.set(mover, total);
  }
  return sum.size === 0 ? STILL : sum;
}

function scaledMoves(moves: Moves | null, by: number): Moves | null {
  if (moves === null || moves.size === 0 || by === 1) return moves;
  if (by === 0) return STILL;
  const scaled = new Map([...moves].map(([mover, each]) => [mover, each * by]));
  return [...scaled.values()].every((each) => Number.isSafeInteger(each)) ? scaled : null;
}

/** The largest power of 2 that divides how far a value moves. */
export function unitOf(moves: Moves): number {
  return 2 ** Math.min(MAX_ZEROS, ...[...moves.values()].map(zerosOf));
}

function sumOfRests(one: Range | null, other: Range | null): Range | null {
  return one === null || other === null ? null : [one[0] + other[0], one[1] + other[1]];
}

function scaledRest(rest: Range | null, factor: number): Range | null {
  if (rest === null) return null;
  const [first, last] = rest.map((end) => end * factor) as unknown as [number, number];
  return [Math.min(first, last), Math.max(first, last)];
}

export function sum(one: Reach, other: Reach): Reach {
  if (constantOf(other) === 0) return one;
  if (constantOf(one) === 0) return other;
  const zeros = Math.min(one.zeros, other.zeros);
  const moves = sumOf(one.moves, other.moves, 1);
  const whole = between(one.least + other.least, one.most + other.most, moves, zeros);
  const total = withRest(whole, sumOfRests(restOf(one), restOf(other)));
  const near = nearSum(one, other);
  return withSum(near === null ? total : withNear(total, near), one, other, 1);
}

export function difference(one: Reach, other: Reach): Reach {
  const zeros = Math.min(one.zeros, other.zeros);
  const moves = sumOf(one.moves, other.moves, -1);
  const whole = between(one.least - other.most, one.most - other.least, moves, zeros);
  const rest = withRest(whole, sumOfRests(restOf(one), scaledRest(restOf(other), -1)));
  if (one.near === undefined && other.near === undefined) return withSum(rest, one, other, -1);
  const near =
    other.near?.value === one || one.near === undefined
      ? nearSum(one, negative(other))
      : nearSum(negative(other), one);
  return withSum(near === null ? rest : withNear(rest, near), one, other, -1);
}

/** Whether a value is made of quotients. */
function hasForm({ form, quotientOf }: Reach): boolean {
  return form !== undefined || quotientOf !== undefined;
}

function ownForm(reach: Reach): Form {
  return formOf(reach, constantOf(reach));
}

/** A sum or a difference, as the sum of what is left of both. */
function withSum(total: Reach, one: Reach, other: Reach, sign: 1 | -1): Reach {
  if (!hasForm(one) && !hasForm(other)) return total;
  const [first, second] = [ownForm(one), ownForm(other)];
  const form = formSum(first, second, sign);
  if (form === null) return total;
  const isLess = form.terms.size < first.terms.size + second.terms.size;
  return isLess ? reduced(total, form) : { ...total, form };
}

/** What is known of a value that is also a sum of others. */
function reduced(own: Reach, form: Form): Reach {
  let all = exactly(form.constant);
  for (const { value, factor } of form.terms.values())
    all = without(sum(all, without(product(value, exactly(factor)))));
  const [least, most] = [Math.max(own.least, all.least), Math.min(own.most, all.most)];
  if (all.moves === null || least > most) return { ...own, form };
  const moved = withRest(between(least, most, all.moves, all.zeros), restOf(all));
  return { ...moved, form };
}

/** A value of which it is not said what it is made of. */
function without({ form: _form, quotientOf: _quotientOf, ...plain }: Reach): Reach {
  return plain;
}

/** How far a value is from another one: values that move alike are as far in all blocks. */
export function apart(one: Reach, other: Reach): Pick<Reach, 'least' | 'most' | 'moves'> {
  const [least, most] = [one.least - other.most, one.most - other.least];
  if (!isEqual(one.moves, other.moves)) return { least, most, moves: stillIf(one, other) };
  const rest = sumOfRests(restOf(one), scaledRest(restOf(other), -1));
  if (one.moves === null || rest === null) return { least, most, moves: stillIf(one, other) };
  return { least: Math.max(least, rest[0]), most: Math.min(most, rest[1]), moves: STILL };
}

/** A value that is subtracted. */
function negative(value: Reach): Reach {
  const { least, most, near } = value;
  const own = between(-most, -least, null, value.zeros);
  return near === undefined ? own : { ...own, near: scaledNear(near, -1) };
}

/** The product of two values. */
export function product(one: Reach, other: Reach): Reach {
  const factor = constantOf(other) ?? constantOf(one);
  const zeros = Math.min(MAX_ZEROS, one.zeros + other.zeros);
  const ends = [
    one.least * other.least,
    one.least * other.most,
    one.most * other.least,
    one.most * other.most,
  ];
  const known = constantOf(other) === null ? other : one;
  const moves =
    factor === null || !Number.isSafeInteger(factor)
      ? stillIf(one, other)
      : scaledMoves(known.moves, factor);
  const plain = between(Math.min(...ends), Math.max(...ends), moves, zeros);
  const whole = factor === null ? plain : withRest(plain, scaledRest(restOf(known), factor));
  if (factor === null) return whole;
  const scaled = hasForm(known) ? scaledForm(ownForm(known), factor) : null;
  const own = known.near === undefined ? whole : withNear(whole, scaledNear(known.near, factor));
  return scaled === null ? own : { ...own, form: scaled };
}

/** The high half of the product of two words. */
export function highProduct(one: Reach, other: Reach): Reach {
  const factor = constantOf(other) ?? constantOf(one);
  const high = quotient(product(one, other), WORD);
  const value = constantOf(other) === null ? other : one;
  const isBounded = Number.isSafeInteger(value.least) && Number.isSafeInteger(value.most);
  if (factor === null || !Number.isSafeInteger(factor) || !isBounded) return high;
  const ends = [value.least, value.most].map((end) =>
    Number((BigInt(end) * BigInt(factor)) >> 32n),
  );
  const { moves } = Number.isFinite(high.least) ? high : { moves: stillIf(value) };
  const near = { value, ratio: factor / WORD, least: -1, most: 0 };
  return withNear(between(Math.min(...ends), Math.max(...ends), moves), near);
}

const WORD = 2 ** 32;

/** The value as an integer of a range of 2^bits integers that begins at `from`. */
function within(reach: Reach, bits: number, from: number): Reach {
  const { least, most, moves, zeros } = reach;
  const size = 2 ** bits;
  const turn = Math.floor((least - from) / size);
  if (turn === 0 && most < from + size) return reach;
  const isOne = Number.isFinite(turn) && Math.floor((most - from) / size) === turn;
  if (isOne) {
    const turned = between(least - turn * size, most - turn * size, moves, zeros);
    return withRest(turned, sumOfRests(restOf(reach), [-turn * size, -turn * size]));
  }
  return between(from, from + size - 1, stillIf(reach), zeros);
}

/** The unsigned integer of some bits that a register holds. */
export function unsigned(reach: Reach, bits: number): Reach {
  return within(reach, bits, 0);
}

/** The signed one. */
export function signed(reach: Reach, bits: number): Reach {
  return within(reach, bits, -(2 ** (bits - 1)));
}

/** The largest integer that is at most the quotient by a positive one. */
export function quotient(reach: Reach, divisor: number): Reach {
  const { least, most, moves, zeros } = reach;
  const divided =
    moves !== null && [...moves.values()].every((by) => by % divisor === 0)
      ? scaledMoves(moves, 1 / divisor)
      : null;
  const left = Math.max(0, zeros - zerosOf(divisor));
  const isPower = 2 ** zerosOf(divisor) === divisor;
  const [first, last] = [Math.floor(least / divisor), Math.floor(most / divisor)];
  if (divisor === 1) return reach;
  const rest = restOf(reach);
  const own = between(first, last, divided, isPower ? left : 0);
  if (!Number.isFinite(least)) return own;
  const isWhole = divided === null && rest !== null && isOneQuotient(reach, rest, divisor);
  const part = isWhole
    ? { ...own, lanes: [0, 0] as const }
    : withRest(own, rest && [Math.floor(rest[0] / divisor), Math.floor(rest[1] / divisor)]);
  const whole = reach.near ?? { value: reach, ratio: 1, least: 0, most: 0 };
  const near = scaledNear(whole, 1 / divisor);
  const value = withNear(part, { ...near, least: near.least - 1 });
  if (first === last) return value;
  const [identity, quotientOf] = quotientIdentity(reach, divisor);
  const form =
    reach.form === undefined
      ? null
      : formQuotient(reach.form, divisor, (each) => quotient(each, divisor));
  return { ...value, identity, quotientOf, ...(form === null ? {} : { form }) };
}

/**
 * Whether all lanes have the same quotient in each block: what moves the value does so in units,
 * and what else it is lies in one of them.
 */
function isOneQuotient({ moves }: Reach, [first, last]: Range, divisor: number): boolean {
  if (first === last) return true;
  let unit = divisor;
  for (const by of moves!.values()) unit = commonDivisor(unit, Math.abs(by));
  return Math.floor(first / unit) === Math.floor(last / unit);
}

/** The largest integer that divides two of them. */
export function commonDivisor(one: number, other: number): number {
  let [large, small] = [one, other];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}

/** The remainder of a value that is not negative. */
export function remainder(reach: Reach, divisor: number): Reach {
  if (reach.most < divisor) return reach;
  const own = plainRemainder(reach, divisor);
  const whole = ownForm(quotient(reach, divisor));
  const form = formSum(ownForm(reach), whole, -divisor);
  return form === null || reach.least < 0 ? own : { ...own, form };
}

function plainRemainder(reach: Reach, divisor: number): Reach {
  const { moves, zeros } = reach;
  const isFixed = moves !== null && [...moves.values()].every((by) => by % divisor === 0);
  const rest = restOf(reach);
  const own = between(0, divisor - 1, isFixed ? STILL : null, Math.min(zeros, zerosOf(divisor)));
  if (isFixed || rest === null || !isOneQuotient(reach, rest, divisor)) return own;
  // The same is taken from all lanes.
  return { ...own, lanes: [rest[0] - rest[1], rest[1] - rest[0]] };
}

/** One of two values. */
export function oneOf(one: Reach, other: Reach): Reach {
  const isSame = constantOf(one) !== null && constantOf(one) === constantOf(other);
  const least = Math.min(one.least, other.least);
  const most = Math.max(one.most, other.most);
  return between(least, most, isSame ? STILL : null, Math.min(one.zeros, other.zeros));
}

/** Some lanes have one of two values, some the other one. */
export function byLane(all: readonly Reach[]): Reach {
  const [first] = all;
  const least = Math.min(...all.map((each) => each.least));
  const most = Math.max(...all.map((each) => each.most));
  const { moves } = first!;
  const isAlike = all.every((each) => moves !== null && isEqual(each.moves, moves));
  const zeros = Math.min(...all.map((each) => each.zeros));
  const hull = between(least, most, isAlike ? moves : null, zeros);
  if (!isAlike || moves!.size === 0) return hull;
  const rests = all.map(restOf);
  if (rests.includes(null)) return hull;
  const ends = [
    Math.min(...rests.map((rest) => rest![0])),
    Math.max(...rests.map((rest) => rest![1])),
  ];
  return withRest(hull, ends as unknown as Range);
}

/** Whether two values move alike. */
export function isEqual(one: Moves | null, other: Moves | null): boolean {
  if (one === other) return true;
  if (one === null || other === null || one.size !== other.size) return false;
  return [...one].every(([mover, by]) => other.get(mover) === by);
}

/** The smaller, or the larger, of two integers. */
export function extremeOf(one: Reach, other: Reach, isSmaller: boolean): Reach {
  const [low, high] = isSmaller ? [one, other] : [other, one];
  if (isSmaller ? one.most <= other.least : one.least >= other.most) return one;
  if (isSmaller ? other.most <= one.least : other.least >= one.most) return other;
  const limit = isSmaller ? Math.min : Math.max;
  const zeros = Math.min(low.zeros, high.zeros);
  return between(
    limit(one.least, other.least),
    limit(one.most, other.most),
    stillIf(one, other),
    zeros,
  );
}

/** What a predicate is that bounds decide, or that they do not. */
export function predicate(isAlways: boolean, isNever: boolean, ...inputs: Reach[]): Reach {
  if (isAlways) return exactly(1);
  if (isNever) return exactly(0);
  return between(0, 1, stillIf(...inputs));
}
