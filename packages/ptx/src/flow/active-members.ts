// Exchanges among the lanes that execute them, whichever these are: their mask is an `activemask`.
import type { Instruction } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

/** Which operand of an instruction is its member mask. */
const MASK_AT: Readonly<Record<string, number>> = {
  shfl: 4,
  vote: 2,
  match: 2,
  elect: 1,
  redux: 2,
  bar: 0,
};

/** The `activemask` instructions that the member mask comes from; `null` if it may be another. */
export function activeMasksOf(
  definitions: Definitions,
  { parts, operands, index }: Instruction,
): readonly Instruction[] | null {
  const mask = operands[MASK_AT[parts[0]!] ?? -1];
  if (mask?.kind !== 'register') return null;
  const found = definitions.reaching(mask.register, index);
  return found.length > 0 && found.every((each) => each.parts[0] === 'activemask') ? found : null;
}
