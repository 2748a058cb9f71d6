// Exchanges among the lanes that execute them, whichever these are: their mask is an `activemask`.
import type { Instruction } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

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

function isActiveMask({ effect }: Instruction): boolean {
  return effect.kind === 'lanes' && effect.op === 'active mask';
}
