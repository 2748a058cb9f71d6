// Computations on registers: moves, arithmetic, logic; what is not modelled is data.
import type { Compute } from '../../isa/effect.ts';
import { usesCarry } from '../../isa/questions.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { compute, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { withCarry } from './carry.ts';
import { data } from './data.ts';
import { floatArithmetic } from './float.ts';
import { isFloat } from './form.ts';
import { INTEGER } from './integer.ts';
import type { Arithmetic } from './integer.ts';
import { LOGIC } from './logic.ts';
import { MOVES } from './moves.ts';
import { reachOf } from './reaches.ts';

const ARITHMETIC = { ...INTEGER, ...LOGIC };

/** How the result follows from the inputs; `null` where that is not modelled. */
function modelOf(effect: Compute, type: ScalarType): Arithmetic | null {
  if (isFloat(type)) return floatArithmetic(effect, type);
  return ARITHMETIC[effect.operation]?.(effect, type) ?? null;
}

/** A computation on registers alone. */
export const computation: BuilderOf<Compute> = (instruction, effect, slots) => {
  const move = MOVES[effect.operation];
  if (move !== undefined) return move(instruction, effect, slots);
  const type = effect.types.at(-1);
  if (type !== undefined && usesCarry(instruction))
    return withCarry(instruction, effect, type, slots);
  const model = type === undefined ? null : modelOf(effect, type);
  if (model === null) return silent(data(instruction, slots));
  const [to, ...inputs] = instruction.operands;
  const destination = to?.kind === 'pair' ? to.first : to;
  const reach = type === undefined ? undefined : reachOf(effect, type);
  return silent(compute(instruction, slots, { ...model, reach }, destination, inputs));
};
