// Computations on registers: which are followed, and by what; the others are data.
import type { Compute } from '../../isa/effect.ts';
import { silent, compute } from './builder.ts';
import type { Builder, BuilderOf, Family } from './builder.ts';
import { usesCarry, withCarry } from './carry.ts';
import { data } from './data.ts';
import { floatArithmetic } from './float.ts';
import { isFloat, typeAt } from './form.ts';
import { INTEGER } from './integer.ts';
import type { ArithmeticBuilder } from './integer.ts';
import { LOGIC } from './logic.ts';
import { MOVES } from './moves.ts';

/** Elementwise arithmetic as builders; what is not modelled is data. */
function arithmetic(table: Readonly<Record<string, ArithmeticBuilder>>): Family {
  return Object.fromEntries(
    Object.entries(table).map(([name, build]): [string, Builder] => [
      name,
      (instruction, slots) => {
        if (usesCarry(instruction)) return withCarry(instruction, slots);
        // `prmt.b32.f4e` names its mode last.
        const type = typeAt(instruction.parts) ?? typeAt(instruction.parts, 1);
        const { parts } = instruction;
        const ofFloats = type !== undefined && isFloat(type);
        const known = ofFloats ? floatArithmetic(parts, type) : null;
        const model = type === undefined || ofFloats ? known : build(parts, type);
        if (model === null) return silent(data(instruction, slots));
        const [to, ...inputs] = instruction.operands;
        const destination = to?.kind === 'pair' ? to.first : to;
        return silent(compute(instruction, slots, model, destination, inputs));
      },
    ]),
  );
}

const COMPUTATIONS: ReadonlyMap<string, Builder> = new Map(
  Object.entries({
    ...arithmetic(INTEGER),
    ...arithmetic(LOGIC),
    addc: withCarry,
    subc: withCarry,
    madc: withCarry,
    ...MOVES,
  }),
);

/** A computation; what is not followed is data: equal inputs give equal results. */
export const computation: BuilderOf<Compute> = (instruction, { operation }, slots) => {
  const build = COMPUTATIONS.get(operation);
  return build === undefined ? silent(data(instruction, slots)) : build(instruction, slots);
};
