// The comparisons that a predicate is combined of.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { Definitions } from './definitions.ts';

/** The instructions that compute the predicate of one out of what is no predicate. */
export function conditionsOf(code: PtxFunction, at: number): readonly Instruction[] {
  const { guard } = code.instructions[at]!;
  const isPredicate = (operand: Operand): boolean =>
    operand.kind === 'register' && code.registers[operand.register]?.type.class === 'predicate';
  const inputsOf = ({ operands }: Instruction): Operand[] => operands.slice(1).filter(isPredicate);
  const predicate: Operand = { kind: 'register', register: guard!.register };
  const { definitions = [] } = new Definitions(code).behind(predicate, at, inputsOf) ?? {};
  const found = [...definitions].filter(({ operands }) => {
    return operands.slice(1).some((one) => !isPredicate(one));
  });
  return found.toSorted((one, other) => one.index - other.index);
}
