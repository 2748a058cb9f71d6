// Where an instruction arrives, before it is executed.
import { arrives } from '../../isa/questions.ts';
import type { Instruction } from '../../text/module.ts';
import { operandIfAny } from './builder.ts';
import { address } from './lane.ts';
import type { ReadAddress } from './lane.ts';
import type { Slots } from './slots.ts';

/** The address of the mbarrier at which an instruction arrives; `null` if it does not. */
export function arrivalOf(instruction: Instruction, slots: Slots): ReadAddress | null {
  const operand = arrives(instruction) ? operandIfAny(instruction, 'mbarrier') : undefined;
  return operand?.kind === 'address' ? address(operand, slots) : null;
}
