// Addresses that are what a warp finds in words that other blocks write: the order of the blocks
// decides them, and not the data of the launch.
import { readsOf } from '../../flow/liveness.ts';
import { isLoad } from '../../isa/questions.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import { destinationsOf } from '../../flow/destinations.ts';

/** The registers that may hold what is computed from such words, wherever they are read. */
function foundIn(
  code: PtxFunction,
  isFinding: (instruction: Instruction) => boolean,
): ReadonlySet<number> {
  const all = new Set<number>();
  let before = -1;
  while (all.size > before) {
    before = all.size;
    for (const each of code.instructions)
      if (isFinding(each) || (!isLoad(each) && readsOf(each).some((one) => all.has(one))))
        for (const one of destinationsOf(each)) all.add(one);
  }
  return all;
}

/** The first of some instructions whose address may come from such words. */
export function foundAddress(
  code: PtxFunction,
  unknown: ReadonlySet<number>,
  isFinding: (instruction: Instruction) => boolean,
): number | null {
  if (unknown.size === 0) return null;
  const found = foundIn(code, isFinding);
  for (const index of unknown) {
    const isFound = code.instructions[index]!.operands.some((operand) => {
      if (operand.kind !== 'address' || operand.base.kind !== 'register') return false;
      return found.has(operand.base.register);
    });
    if (isFound) return index;
  }
  return null;
}
