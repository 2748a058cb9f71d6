// Exchanges among the lanes that execute them, whichever these are: their mask is an `activemask`.
import { operationOf } from '../isa/questions.ts';
import type { Instruction, Operand } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

const ALL_LANES = 0xff_ff_ff_ff;

/** The `activemask` instructions that the member mask comes from; `null` if it may be another. */
export function activeMasksOf(
  definitions: Definitions,
  { operands, roles, index }: Instruction,
): readonly Instruction[] | null {
  const mask = operands[roles.members ?? -1];
  if (mask?.kind !== 'register') return null;
  const found = definitions.reaching(mask.register, index);
  return found.length > 0 && found.every(isActiveMask) ? found : null;
}

/** Whether the member mask of an exchange names all lanes, as the text says. */
export function namesAll(
  definitions: Definitions,
  { operands, roles, index }: Instruction,
): boolean {
  const mask = operands[roles.members ?? -1];
  if (mask?.kind !== 'register') return isAll(mask);
  const found = definitions.reaching(mask.register, index);
  return found.length > 0 && found.every((each) => isMove(each) && isAll(each.operands[1]));
}

/** Whether a member mask is computed from masks of lanes that the warp has found, and no data. */
export function isOfLanes(
  definitions: Definitions,
  { operands, roles, index }: Instruction,
): boolean {
  const inputsOf = (each: Instruction): readonly Operand[] | null =>
    givesLanes(each) ? [] : each.effect.kind === 'compute' ? each.operands.slice(1) : null;
  const mask = operands[roles.members ?? -1];
  const behind = mask === undefined ? null : definitions.behind(mask, index, inputsOf);
  return [...(behind?.definitions ?? [])].some(givesLanes);
}

function givesLanes({ effect }: Instruction): boolean {
  if (effect.kind !== 'lanes') return false;
  return effect.op === 'vote' || effect.op === 'match' || effect.op === 'active mask';
}

function isMove(instruction: Instruction): boolean {
  return operationOf(instruction) === 'mov' && instruction.guard === null;
}

function isAll(operand: Operand | undefined): boolean {
  if (operand?.kind !== 'immediate' || operand.value.isFloat) return false;
  return operand.value.low === ALL_LANES;
}

function isActiveMask({ effect }: Instruction): boolean {
  return effect.kind === 'lanes' && effect.op === 'active mask';
}
