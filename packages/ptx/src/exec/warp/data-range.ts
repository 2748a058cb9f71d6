// Which values an operand may have that data decides: what masks, remainders and narrow loads leave
// of it. It follows the definitions of registers back to values that are known.
import type { Definitions } from '../../flow/definitions.ts';
import { readsOf } from '../../flow/liveness.ts';
import { SHARED_WINDOW } from '../../launch/windows.ts';
import type { Access, Compute } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { holdsAlways } from './compare.ts';
import { isPacked } from './form.ts';
import type { Warp } from './warp.ts';

/** The values `from`, `from + step` … `to`. */
export interface DataRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Whether each of them is the value for some data. */
  readonly isEach: boolean;
}

/** Definitions that are followed one behind the other. */
const MAX_DEPTH = 24;
/** Beyond it arithmetic may wrap around. */
const MAX_VALUE = 2 ** 31;

/** The high half of a number below zero. */
const ALL_ONES = 2 ** 32 - 1;

const out: Wide = { low: 0, high: 0 };

/** What a word that was loaded may be. */
const ANY: DataRange = { from: -MAX_VALUE, to: MAX_VALUE - 1, step: 1, isEach: true };

function isAny({ from, to, step }: DataRange): boolean {
  return from === ANY.from && to === ANY.to && step === 1;
}

function exactly(value: number): DataRange {
  return { from: value, to: value, step: 1, isEach: true };
}

/** What a value that a register holds is: of an address outside of shared memory, any. */
function ofValue({ low, high }: Wide): DataRange {
  const isWord = high === 0 || (high === ALL_ONES && (low | 0) < 0);
  return isWord || high === SHARED_WINDOW ? exactly(low | 0) : { ...ANY, isEach: false };
}

/** A range, unless arithmetic may have wrapped around in it. */
function within(range: DataRange): DataRange | null {
  return range.from < -MAX_VALUE || range.to >= MAX_VALUE ? null : range;
}

function sum(one: DataRange, other: DataRange): DataRange | null {
  const isShift = one.from === one.to || other.from === other.to;
  return within({
    from: one.from + other.from,
    to: one.to + other.to,
    step: isShift ? Math.max(one.step, other.step) : 1,
    isEach: isShift && one.isEach && other.isEach,
  });
}

function times(one: DataRange, other: DataRange): DataRange | null {
  const [range, factor] = other.from === other.to ? [one, other.from] : [other, one.from];
  if (one.from !== one.to && other.from !== other.to) return null;
  if (factor < 0 || !Number.isInteger(factor)) return null;
  if (range.from === range.to) return within(exactly(range.from * factor));
  if (factor === 0) return exactly(0);
  const { from, to, step, isEach } = range;
  return within({ from: from * factor, to: to * factor, step: step * factor, isEach });
}

/** The union of two ranges, of which it is not known whether each value may be. */
function either(one: DataRange | null, other: DataRange | null): DataRange | null {
  if (one === null || other === null) return null;
  const [from, to] = [Math.min(one.from, other.from), Math.max(one.to, other.to)];
  return { from, to, step: 1, isEach: false };
}

/**
 * Bits that are kept of a value, whatever it is: all values that they make if they are the lowest
 * ones of its step.
 */
function masked(one: DataRange | null, mask: number): DataRange | null {
  if (mask < 0) return null;
  if (mask === 0) return exactly(0);
  const lowest = mask & -mask;
  const areAdjacent = (mask & (mask + lowest)) === 0;
  if (one === null) return { from: 0, to: mask, step: lowest, isEach: false };
  const { from, to, step, isEach } = one;
  if (areAdjacent && lowest === 1 && from >= 0 && to <= mask) return one;
  const isWhole = from <= 0 && to >= mask && isEach && from % step === 0 && lowest % step === 0;
  return { from: 0, to: mask, step: lowest, isEach: areAdjacent && isWhole };
}

/** A word of 32 bits that is shifted: of any word all multiples, as the bits above are lost. */
function shiftedWord(one: DataRange, by: number): DataRange | null {
  const factor = 2 ** by;
  if (!isAny(one)) return times(one, exactly(factor));
  return { from: ANY.from, to: MAX_VALUE - factor, step: factor, isEach: one.isEach };
}

/** Follows one operand of one lane. */
class Follower {
  readonly #warp: Warp;
  readonly #definitions: Definitions;
  readonly #at: number;
  readonly #lane: number;

  constructor(warp: Warp, definitions: Definitions, at: number, lane: number) {
    this.#warp = warp;
    this.#definitions = definitions;
    this.#at = at;
    this.#lane = lane;
  }

  of(operand: Operand | undefined, place: number, depth: number): DataRange | null {
    if (operand === undefined || depth > MAX_DEPTH) return null;
    if (operand.kind === 'address') {
      const base = this.of(operand.base, place, depth);
      return base === null ? null : sum(base, exactly(operand.offset));
    }
    if (operand.kind === 'immediate') return exactly(operand.value.low | 0);
    if (operand.kind === 'symbol') {
      const symbol = this.#warp.machine.layout.symbols.get(operand.name);
      return symbol === undefined ? null : exactly(symbol.offset + operand.offset);
    }
    if (operand.kind !== 'register') return null;
    const definition = this.#only(operand.register, place);
    if (definition === null) return null;
    const isNow = this.#only(operand.register, this.#at) === definition;
    const { registers } = this.#warp;
    if (isNow && registers.read(operand.register, this.#lane, out)) return ofValue(out);
    return this.#result(definition, depth + 1);
  }

  /** The one instruction that has defined a register where it is read. */
  #only(register: number, place: number): Instruction | null {
    const [first, ...more] = this.#definitions.reaching(register, place);
    const isOne = first !== undefined && more.length === 0 && first.index < place;
    return isOne && first.guard === null ? first : null;
  }

  #result({ effect, operands, index }: Instruction, depth: number): DataRange | null {
    if (effect.kind === 'access') return loaded(effect);
    if (effect.kind !== 'compute') return null;
    const input = (at: number): DataRange | null => this.of(operands[at], index, depth);
    const both: Definition['both'] = (of) => {
      const [one, other] = [input(1), input(2)];
      return one === null || other === null ? null : of(one, other);
    };
    const type = effect.types.at(-1);
    if (type !== undefined && isPacked(type)) return null;
    const isSigned = type?.class === 'signed';
    return RESULTS[effect.operation]?.({ effect, isSigned, input, both }) ?? null;
  }
}

/** The instruction that has defined a register. */
interface Definition {
  readonly effect: Compute;
  readonly isSigned: boolean;
  /** The range of an operand. */
  readonly input: (at: number) => DataRange | null;
  /** A range that follows from those of the first two inputs. */
  readonly both: (of: (one: DataRange, other: DataRange) => DataRange | null) => DataRange | null;
}

type ResultOf = (definition: Definition) => DataRange | null;

const copied: ResultOf = ({ input }) => input(1);
const counted: ResultOf = () => ({ from: 0, to: 64, step: 1, isEach: false });
const extreme =
  (name: 'min' | 'max'): ResultOf =>
  ({ isSigned, both }) =>
    isSigned ? both((one, other) => limited(one, other, name)) : null;

/** The range of a result. */
const RESULTS: Readonly<Partial<Record<Operation, ResultOf>>> = {
  mov: copied,
  cvta: copied,
  mapa: copied,
  cvt: ({ effect, input }) => converted(effect, input(1)),
  add: ({ both }) => both(sum),
  sub: ({ both }) =>
    both((one, other) => (other.from === other.to ? sum(one, exactly(-other.from)) : null)),
  mul: ({ effect, both }) => (effect.modifiers.has('hi') ? null : both(times)),
  mad: ({ effect, input, both }) => {
    const product = effect.modifiers.has('hi') ? null : both(times);
    const added = input(3);
    return product === null || added === null ? null : sum(product, added);
  },
  shl: ({ effect, both }) =>
    both((one, other) => {
      const isKnown = other.from === other.to && other.from >= 0 && other.from < 31;
      if (!isKnown) return null;
      const isWord = effect.types.at(-1)!.bits === 32;
      return isWord ? shiftedWord(one, other.from) : times(one, exactly(2 ** other.from));
    }),
  shr: ({ effect, isSigned, both }) =>
    both((one, other) => {
      const isPart = isAny(one) && effect.types.at(-1)!.bits > 32;
      return isPart ? { ...ANY, isEach: false } : shifted(one, other, isSigned);
    }),
  and: ({ input }) => {
    const [one, other] = [input(1), input(2)];
    if (other !== null && other.from === other.to) return masked(one, other.from);
    return one !== null && one.from === one.to ? masked(other, one.from) : null;
  },
  rem: ({ isSigned, both }) => both((one, other) => remainder(one, other, isSigned)),
  min: extreme('min'),
  max: extreme('max'),
  selp: ({ input }) => either(input(1), input(2)),
  bfe: ({ isSigned, input }) => bits(input(1), input(2), input(3), isSigned),
  popc: counted,
  clz: counted,
};

/** A word of global memory may be any; of other memory that is not known. */
function loaded(effect: Access): DataRange | null {
  const { op, type, width, space, isStrong, isUniform, isMultimem } = effect;
  if (op !== 'load' || isUniform || isMultimem || type === null || width > 1) return null;
  // A signal of another thread may go with what it has ordered.
  const isFree = space === 'global' && !isStrong;
  if (type.bits >= 32) return { ...ANY, isEach: isFree && type.bits === 32 };
  if (type.class === 'signed')
    return {
      from: -(2 ** (type.bits - 1)),
      to: 2 ** (type.bits - 1) - 1,
      step: 1,
      isEach: isFree,
    };
  return { from: 0, to: 2 ** type.bits - 1, step: 1, isEach: isFree };
}

/** A conversion between integers, which keeps values that both types have. */
function converted({ types }: Compute, one: DataRange | null): DataRange | null {
  const [to, from] = types;
  const areIntegers = [to, from].every((type) => {
    return type !== undefined && /^(bits|unsigned|signed)$/.test(type.class);
  });
  if (!areIntegers) return null;
  if (from!.bits < 32 && from!.class !== 'signed') {
    const most = 2 ** from!.bits - 1;
    const narrow = one === null ? null : masked(one, most);
    return narrow ?? { from: 0, to: most, step: 1, isEach: false };
  }
  if (from!.bits < 32) return narrowSigned(one, from!.bits);
  if (one === null) return null;
  const isSame = to!.bits >= from!.bits && (from!.class === 'signed' || one.from >= 0);
  if (isSame) return one;
  return to!.bits >= 32 && one.from >= -MAX_VALUE && one.to < MAX_VALUE ? one : null;
}

/** What the lowest bits of a value are as a signed integer. */
function narrowSigned(one: DataRange | null, bits: number): DataRange {
  const end = 2 ** (bits - 1);
  if (one !== null && one.from >= -end && one.to < end) return one;
  return { from: -end, to: end - 1, step: 1, isEach: false };
}

function shifted(one: DataRange, other: DataRange, isSigned: boolean): DataRange | null {
  if (other.from !== other.to || other.from < 0 || other.from > 31) return null;
  const divisor = 2 ** other.from;
  // Unsigned, what is below zero is above all others.
  const { from, to } = isSigned || one.from >= 0 ? one : { from: 0, to: 2 * MAX_VALUE - 1 };
  const isEach = one.step === 1 && one.isEach && (one.from >= 0 || isAny(one));
  return within({
    from: Math.floor(from / divisor),
    to: Math.floor(to / divisor),
    step: 1,
    isEach,
  });
}

function remainder(one: DataRange, other: DataRange, isSigned: boolean): DataRange | null {
  if (other.from !== other.to || other.from <= 0) return null;
  const most = other.from - 1;
  if (one.from >= 0 && one.to <= most) return one;
  if (isSigned && one.from < 0) return { from: -most, to: most, step: 1, isEach: false };
  const isEach = one.isEach && one.step === 1 && one.to >= most && one.from <= 0;
  return { from: 0, to: most, step: 1, isEach };
}

function limited(one: DataRange, other: DataRange, name: 'min' | 'max'): DataRange {
  const limit = Math[name];
  const [from, to] = [limit(one.from, other.from), limit(one.to, other.to)];
  const isKnown = one.from === one.to || other.from === other.to;
  const isEach = isKnown && one.step === 1 && other.step === 1 && one.isEach && other.isEach;
  return { from, to, step: 1, isEach };
}

/** The bits of a field that begins at a known place. */
function bits(
  one: DataRange | null,
  at: DataRange | null,
  count: DataRange | null,
  isSigned: boolean,
): DataRange | null {
  if (isSigned || one === null || at === null || count === null) return null;
  if (at.from !== at.to || count.from !== count.to || count.from < 0 || count.from > 30)
    return null;
  return { from: 0, to: 2 ** count.from - 1, step: 1, isEach: one.isEach && isAny(one) };
}

/** The values of an operand that a lane may read at an instruction; `null` where any may be. */
export function dataRange(
  warp: Warp,
  definitions: Definitions,
  operand: Operand,
  at: number,
  lane: number,
): DataRange | null {
  return new Follower(warp, definitions, at, lane).of(operand, at, 0);
}

/**
 * What the predicate of an instruction is in a lane, whatever data is; `undefined`: data decides.
 * Of what is followed, such as the addresses of a run, the values are no facts.
 */
export function alwaysByRange(warp: Warp, at: number, lane: number): boolean | undefined {
  const { provenance, guards } = warp.program;
  if (warp.registers.depends[guards[at]!] !== 0) return undefined;
  const [test, ...more] = provenance.definitions.reaching(guards[at]!, at);
  if (test === undefined || more.length > 0 || test.guard !== null) return undefined;
  const { effect, operands } = test;
  if (effect.kind !== 'compute' || effect.operation !== 'setp') return undefined;
  const type = effect.types.at(-1);
  const isWord = type?.bits === 32 && type.class !== 'float' && !isPacked(type);
  if (!isWord || effect.comparison === null || effect.combination !== null) return undefined;
  const follower = new Follower(warp, provenance.definitions, at, lane);
  const isNow = isOneLine(warp, test, at);
  const [one, other] = operands.slice(1).map((operand) => {
    const isKnown = isNow && operand.kind === 'register';
    if (isKnown && warp.registers.read(operand.register, lane, out)) return ofValue(out);
    return follower.of(operand, test.index, 0);
  });
  if (!one || !other) return undefined;
  if (type.class !== 'signed' && (one.from < 0 || other.from < 0)) return undefined;
  return holdsAlways(effect.comparison, one, other) ?? undefined;
}

/** Whether what an instruction has read is what its registers hold at a later one. */
function isOneLine({ program }: Warp, test: Instruction, at: number): boolean {
  const { code, destinations } = program;
  const read = new Set(readsOf(test));
  const isEntered = code.instructions.some(({ targets }) => {
    return targets.some((target) => target > test.index && target <= at);
  });
  if (isEntered || test.index >= at) return false;
  return code.instructions.slice(test.index + 1, at).every(({ targets, index }) => {
    return targets.length === 0 && !destinations[index]!.some((each) => read.has(each));
  });
}
