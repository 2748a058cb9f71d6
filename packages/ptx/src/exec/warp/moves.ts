// Moves, conversions and selections: mov, cvt, cvta, selp, setp, mapa, getctarank, isspacep.
import { LOCAL_WINDOW, NO_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import { RANK_SHIFT } from '../../steps/step.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Compute } from '../../isa/effect.ts';
import type { Operation } from '../../isa/operation.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import * as wide from '../../values/wide.ts';
import { compute, sequence, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { comparison } from './compare.ts';
import { data } from './data.ts';
import { floatConversion } from './float.ts';
import type { Silent } from './elementwise.ts';
import { isFloat, isSigned, narrow, truncate } from './form.ts';
import type { Arithmetic } from './integer.ts';
import { compared, COPIED } from './same-term.ts';
import type { Action } from './program.ts';
import { comparedReach, convertedReach, COPIED_REACH, ordersOf } from './reaches.ts';
import { select, selectBySign, truthTableOf } from './select.ts';
import { OperandError } from './slots.ts';
import type { Slots } from './slots.ts';

const COPY: Arithmetic = {
  compute: (out, low, high) => wide.set(out, low, high),
  term: COPIED,
  reach: COPIED_REACH,
};
const OFFSET_MASK = 2 ** RANK_SHIFT - 1;

function elements(operand: Operand | undefined): readonly Operand[] | null {
  return operand?.kind === 'vector' ? operand.elements : null;
}

/** `mov.b64 {lo, hi}, x`: each element is a part of the value. */
function unpack(
  instruction: Instruction,
  slots: Slots,
  elements: readonly Operand[],
  from: Operand,
  bits: number,
): Action {
  const part = bits / elements.length;
  return silent(
    sequence(
      elements.map((destination, index) =>
        compute(instruction, slots, partOf(index * part, part), destination, [from]),
      ),
    ),
  );
}

/** Bits `[from, from + count)` of a value. */
function partOf(from: number, count: number): Arithmetic {
  return {
    part: from,
    compute: (out, low, high) => {
      wide.shiftRight(out, low, high, from);
      if (count < 64) wide.set(out, truncate(out.low, count), 0);
    },
  };
}

/** `mov.b64 x, {lo, hi}`: the value of two or four parts. */
function pack(
  instruction: Instruction,
  slots: Slots,
  to: Operand | undefined,
  parts: readonly Operand[],
  bits: number,
): Action {
  const part = bits / parts.length;
  const joined: Arithmetic = {
    compute: (out, a, _1, b, _2, c, _3, d) => {
      if (parts.length === 2 && part === 32) wide.set(out, a, b);
      else if (parts.length === 2) wide.set(out, truncate(a, part) | (b << part), 0);
      else if (part === 16) wide.set(out, truncate(a, 16) | (b << 16), truncate(c, 16) | (d << 16));
      else wide.set(out, (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24), 0);
    },
  };
  return silent(compute(instruction, slots, joined, to, parts));
}

/** A 128-bit register holds its lower half only: the upper half is data. */
function wideMove(instruction: Instruction, slots: Slots): Action {
  const [to, from] = instruction.operands;
  const low = elements(from)?.[0] ?? from;
  const targets = elements(to);
  if (targets === null) return silent(compute(instruction, slots, COPY, to, [low]));
  const upper = {
    ...instruction,
    operands: [{ kind: 'vector' as const, elements: targets.slice(1) }, from!],
  };
  return silent(
    sequence([compute(instruction, slots, COPY, targets[0], [low]), data(upper, slots)]),
  );
}

const move: BuilderOf<Compute> = (instruction, { types }, slots) => {
  const [to, from] = instruction.operands;
  const bits = types[0]?.bits ?? 32;
  const targets = elements(to);
  const sources = elements(from);
  if (bits === 128) return wideMove(instruction, slots);
  if (targets !== null && sources !== null) {
    const moves = targets.map((target, index) =>
      compute(instruction, slots, COPY, target, [sources[index]]),
    );
    return silent(sequence(moves));
  }
  if (targets !== null && from !== undefined)
    return unpack(instruction, slots, targets, from, bits);
  if (sources !== null) return pack(instruction, slots, to, sources, bits);
  return silent(compute(instruction, slots, COPY, to, [from]));
};

/** Converts between integers; floats are data. */
const convert: BuilderOf<Compute> = (instruction, effect, slots) => {
  const { modifiers } = effect;
  const [to, from] = effect.types;
  if (to === undefined || from === undefined || modifiers.has('pack'))
    return silent(data(instruction, slots));
  if (isFloat(to) || isFloat(from)) {
    const model = floatConversion(effect, to, from);
    const [target, source] = instruction.operands;
    if (model === null) return silent(data(instruction, slots));
    return silent(compute(instruction, slots, model, target, [source]));
  }
  const registerBits = slots.bitsOf(slots.destination(instruction.operands[0]));
  return silent(
    compute(
      instruction,
      slots,
      integerConversion(to, from, modifiers.has('sat'), registerBits),
      instruction.operands[0],
      [instruction.operands[1]],
    ),
  );
};

function limits(type: ScalarType): readonly [bigint, bigint] {
  const bits = BigInt(type.bits);
  return isSigned(type)
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
}

function integerConversion(
  to: ScalarType,
  from: ScalarType,
  isSaturating: boolean,
  registerBits: number,
): Arithmetic {
  const [least, most] = limits(to);
  return {
    ...(isSaturating ? {} : { reach: convertedReach(to, from, registerBits) }),
    compute: (out, low, high) => {
      if (from.bits === 64) wide.set(out, low, high);
      else {
        const value = narrow(low, from);
        wide.set(out, value, value < 0 ? -1 : 0);
      }
      if (isSaturating) {
        const value = isSigned(from)
          ? wide.signedBig(out.low, out.high)
          : wide.unsignedBig(out.low, out.high);
        wide.setBig(out, value < least ? least : value > most ? most : value);
      }
      if (to.bits < 64) {
        // A result narrower than its register is sign- or zero-extended to it.
        const value = narrow(out.low, to);
        wide.set(out, truncate(value, registerBits), registerBits === 64 && value < 0 ? -1 : 0);
      }
    },
  };
}

/** Generic addresses from and to those of a state space. */
const convertAddress: BuilderOf<Compute> = (instruction, { space, modifiers }, slots) => {
  const isTo = modifiers.has('to');
  const window = space === 'shared' ? SHARED_WINDOW : space === 'local' ? LOCAL_WINDOW : 0;
  const arithmetic: Arithmetic = {
    ...(window === 0 ? { reach: COPIED_REACH } : {}),
    compute: (out, low, high) => {
      if (window === 0) wide.set(out, low, high);
      else if (isTo) wide.set(out, low, high === window ? 0 : high);
      else wide.set(out, low, high === 0 || high === LOCAL_WINDOW ? window : NO_WINDOW);
    },
  };
  return silent(
    compute(instruction, slots, arithmetic, instruction.operands[0], [instruction.operands[1]]),
  );
};

/** How the second predicate of `setp.eq.and` is combined with the comparison. */
const COMBINE: Readonly<
  Record<NonNullable<Compute['combination']>, (holds: boolean, other: boolean) => boolean>
> = {
  and: (holds, other) => holds && other,
  or: (holds, other) => holds || other,
  xor: (holds, other) => holds !== other,
};

const setPredicate: BuilderOf<Compute> = (instruction, effect, slots) => {
  const [to, a, b, other] = instruction.operands;
  const { comparison: name, combination } = effect;
  const type = effect.types[0]!;
  const compare = name === null ? null : comparison(name, type, effect);
  if (name === null || compare === null) return silent(data(instruction, slots));
  const combine = combination === null ? null : COMBINE[combination];
  const inputs = combine === null ? [a, b] : [a, b, other];
  const result = (isNegated: boolean): Arithmetic => {
    const value = (aL: number, aH: number, bL: number, bH: number, cL: number): number => {
      const holds = compare(aL, aH, bL, bH) !== isNegated;
      return (combine === null ? holds : combine(holds, cL !== 0)) ? 1 : 0;
    };
    return {
      part: isNegated ? 1 : 0,
      reach: comparedReach(effect, type, isNegated),
      ...ordersOf(effect, type, isNegated),
      compute: (out, aL, aH, bL, bH, cL) => wide.set(out, value(aL, aH, bL, bH, cL), 0),
      ...(combine === null ? { term: compared(name, type, isNegated) } : {}),
      partly: (out, known, aL, aH, bL, bH, cL) => {
        if (combine === null) return false;
        const ifHolds = combine(true, cL !== 0);
        const isOther = (known & 4) !== 0 && ifHolds === combine(false, cL !== 0);
        const holds = (known & 3) === 3 && compare(aL, aH, bL, bH) !== isNegated;
        const isCompared = (known & 3) === 3 && combine(holds, true) === combine(holds, false);
        wide.set(out, (isOther ? ifHolds : combine(holds, true)) ? 1 : 0, 0);
        return isOther || isCompared;
      },
    };
  };
  if (to?.kind !== 'pair') return silent(compute(instruction, slots, result(false), to, inputs));
  // Both predicates are computed before either is written: an input may be one of them.
  const first = slots.temporary();
  const second = slots.temporary();
  const at = (register: number): Operand => ({ kind: 'register', register });
  return silent(
    sequence([
      compute(instruction, slots, result(false), at(first), inputs),
      compute(instruction, slots, result(true), at(second), inputs),
      compute(instruction, slots, COPY, to.first, [at(first)]),
      compute(instruction, slots, COPY, to.second, [at(second)]),
    ]),
  );
};

/** `set.eq.u32.s32`: all ones or zero. */
const setWord: BuilderOf<Compute> = (instruction, effect, slots) => {
  const { comparison: name, combination } = effect;
  const [result, a, b] = instruction.operands;
  const [to, type] = effect.types;
  const compare = name === null || type === undefined ? null : comparison(name, type, effect);
  if (compare === null || to === undefined || isFloat(to) || combination !== null)
    return silent(data(instruction, slots));
  const arithmetic: Arithmetic = {
    compute: (out, aL, aH, bL, bH) =>
      wide.set(out, compare(aL, aH, bL, bH) ? truncate(-1, to.bits) : 0, 0),
  };
  return silent(compute(instruction, slots, arithmetic, result, [a, b]));
};

/** The rank of an address that is in no CTA of the cluster. */
const NO_RANK = 127;
/** What ranks are counted from, and how many there are. */
const CLUSTER: readonly Operand[] = ['%cluster_first', '%cluster_nctarank'].map((name) => {
  return { kind: 'special', name };
});

/** The address of the same variable in another CTA of the cluster. */
const MAP_ADDRESS: Arithmetic = {
  compute: (out, low, high, rank, _rankHigh, first, _firstHigh, ranks) => {
    const at = rank < ranks ? first + rank : NO_RANK;
    wide.set(out, (low & OFFSET_MASK) | (at << RANK_SHIFT), high);
  },
};
const RANK: Arithmetic = {
  compute: (out, low, _high, first) => wide.set(out, (low >>> RANK_SHIFT) - first, 0),
};

const isInSpace: BuilderOf<Compute> = (instruction, { space }, slots) => {
  const arithmetic: Arithmetic = {
    compute: (out, _low, high) => {
      const isShared = high === SHARED_WINDOW;
      const isLocal = high === LOCAL_WINDOW;
      const holds =
        space === 'shared'
          ? isShared
          : space === 'local'
            ? isLocal
            : space === 'global' && !isShared && !isLocal;
      wide.set(out, holds ? 1 : 0, 0);
    },
  };
  return silent(
    compute(instruction, slots, arithmetic, instruction.operands[0], [instruction.operands[1]]),
  );
};

function withArithmetic(arithmetic: Arithmetic, more: readonly Operand[] = []): BuilderOf<Compute> {
  return (instruction, _effect, slots) => {
    const [to, ...inputs] = instruction.operands;
    if (to === undefined) throw new OperandError('an operand is missing');
    const run: Silent = compute(instruction, slots, arithmetic, to, [...inputs, ...more]);
    return silent(run);
  };
}

/** Moves, conversions and selections. */
export const MOVES: Readonly<Partial<Record<Operation, BuilderOf<Compute>>>> = {
  mov: move,
  cvt: convert,
  cvta: convertAddress,
  selp: select,
  slct: selectBySign,
  lop3: truthTableOf,
  setp: setPredicate,
  set: setWord,
  mapa: withArithmetic(MAP_ADDRESS, CLUSTER),
  getctarank: withArithmetic(RANK, CLUSTER.slice(0, 1)),
  isspacep: isInSpace,
};
