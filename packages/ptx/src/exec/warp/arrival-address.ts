// Where an instruction arrives, before it is executed.
import { arrives } from '../../isa/questions.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { operandIfAny } from './builder.ts';
import { address } from './lane.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** An mbarrier by its address, or a named barrier by its number. */
export interface ArrivalPlace {
  readonly kind: 'barrier' | 'named';
  readonly at: number;
}

/** Reads where a lane would arrive; `null`: that is not known. */
export type ReadArrival = (warp: Warp, lane: number) => ArrivalPlace | null;

const out: Wide = { low: 0, high: 0 };

/** Where an instruction arrives; `null` if it does not. */
export function arrivalOf(instruction: Instruction, slots: Slots): ReadArrival | null {
  if (!arrives(instruction)) return null;
  if (instruction.effect.kind === 'barrier') return atNumber(numberOf(instruction), slots);
  const operand = operandIfAny(instruction, 'mbarrier');
  if (operand?.kind !== 'address') return null;
  const read = address(operand, slots);
  return (warp, lane) => (read(warp, lane, out) ? { kind: 'barrier', at: out.low } : null);
}

/** The operand with the number of a named barrier: a reduction has its result before it. */
function numberOf({ effect, operands }: Instruction): Operand | undefined {
  return operands[effect.kind === 'barrier' && effect.op === 'reduce' ? 1 : 0];
}

function atNumber(operand: Operand | undefined, slots: Slots): ReadArrival {
  const register = slots.source(operand);
  return (warp, lane) => {
    return warp.registers.read(register, lane, out) ? { kind: 'named', at: out.low } : null;
  };
}
