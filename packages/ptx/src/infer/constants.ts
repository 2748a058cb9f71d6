// Registers that hold one constant, by all of their definitions.
import { operationOf } from '../isa/questions.ts';
import { destinationsOf } from '../flow/destinations.ts';
import type { Operand, PtxFunction } from '../text/module.ts';
import { signedNumber } from '../text/literal.ts';

/** What constants operands are. */
export interface Constants {
  /** The number of an operand; `null` where it is none, or not one alone. */
  readonly of: (operand: Operand | undefined) => number | null;
}

/** An immediate as a number of its register: 32 bits have a sign. */
function numberOf(operand: Operand): number | null {
  if (operand.kind !== 'immediate' || operand.value.isFloat) return null;
  return signedNumber(operand.value);
}

/** Finds the constants of a kernel. */
export function constantsOf(code: PtxFunction): Constants {
  const known = new Map<number, number | null>();
  for (const instruction of code.instructions) {
    const [, from] = instruction.operands;
    const isMove = operationOf(instruction) === 'mov' && from !== undefined;
    const value = isMove ? numberOf(from) : null;
    for (const register of destinationsOf(instruction)) {
      const before = known.get(register);
      known.set(register, before === undefined || before === value ? value : null);
    }
  }
  return {
    of: (operand) => {
      if (operand === undefined) return null;
      if (operand.kind === 'register') return known.get(operand.register) ?? null;
      return numberOf(operand);
    },
  };
}
