// Selections: selp by a predicate, slct by a sign, lop3 with its predicate.
import type { Compute } from '../../isa/effect.ts';
import type { Operand } from '../../text/module.ts';
import * as wide from '../../values/wide.ts';
import { compute, sequence, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { comparison } from './compare.ts';
import { data } from './data.ts';
import { truthTable } from './integer.ts';
import type { Arithmetic } from './integer.ts';
import { COPIED_REACH, SELECTED_REACH } from './reaches.ts';

const COPY: Arithmetic = {
  compute: (out, low, high) => wide.set(out, low, high),
  reach: COPIED_REACH,
};

/** The first or the second input, by what the third one is. */
function choice(isFirst: (low: number, high: number) => boolean): Arithmetic {
  return {
    compute: (out, aLow, aHigh, bLow, bHigh, cLow, cHigh) => {
      if (isFirst(cLow, cHigh)) wide.set(out, aLow, aHigh);
      else wide.set(out, bLow, bHigh);
    },
    partly: (out, known, aLow, aHigh, bLow, bHigh, cLow, cHigh) => {
      if ((known & 4) !== 0) {
        const takesFirst = isFirst(cLow, cHigh);
        wide.set(out, takesFirst ? aLow : bLow, takesFirst ? aHigh : bHigh);
        return (known & (takesFirst ? 1 : 2)) !== 0;
      }
      wide.set(out, aLow, aHigh);
      return (known & 3) === 3 && aLow === bLow && aHigh === bHigh;
    },
  };
}

/** `selp d, a, b, p`. */
export const select: BuilderOf<Compute> = (instruction, _effect, slots) => {
  const [to, ...inputs] = instruction.operands;
  return silent(
    compute(
      instruction,
      slots,
      { ...choice((chosen) => chosen !== 0), reach: SELECTED_REACH },
      to,
      inputs,
    ),
  );
};

/** `slct d, a, b, c`: the first where the third is not below zero. */
export const selectBySign: BuilderOf<Compute> = (instruction, effect, slots) => {
  const [to, ...inputs] = instruction.operands;
  const type = effect.types.at(-1);
  const isAtLeast = type === undefined ? null : comparison('ge', type, effect);
  if (isAtLeast === null) return silent(data(instruction, slots));
  return silent(
    compute(
      instruction,
      slots,
      choice((low, high) => isAtLeast(low, high, 0, 0)),
      to,
      inputs,
    ),
  );
};

const TABLE: Arithmetic = {
  compute: (out, a, _1, b, _2, c, _3, table) => wide.set(out, truthTable(a, b, c, table), 0),
};

/** `lop3.b32 d, a, b, c, table`, and `lop3.or.b32 d|p, a, b, c, table, q`. */
export const truthTableOf: BuilderOf<Compute> = (instruction, { combination }, slots) => {
  const [to, a, b, c, table, other] = instruction.operands;
  if (to?.kind !== 'pair') return silent(compute(instruction, slots, TABLE, to, [a, b, c, table]));
  const isAnd = combination === 'and';
  const word: Operand = { kind: 'register', register: slots.temporary() };
  const predicate: Arithmetic = {
    compute: (out, value, _1, q) =>
      wide.set(out, (isAnd ? value !== 0 && q !== 0 : value !== 0 || q !== 0) ? 1 : 0, 0),
  };
  return silent(
    sequence([
      compute(instruction, slots, TABLE, word, [a, b, c, table]),
      compute(instruction, slots, predicate, to.second, [word, other]),
      compute(instruction, slots, COPY, to.first, [word]),
    ]),
  );
};
