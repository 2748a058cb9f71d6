// Products of a warpgroup that multiply what an earlier one made, as those of attention do.
import { destinationsOf } from '../flow/destinations.ts';
import { readsOf } from '../flow/liveness.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

/** Whether A of a product is computed from the results of another one. */
export function hasChainedProducts({ instructions }: PtxFunction): boolean {
  const products = instructions.filter(
    ({ effect }) => effect.kind === 'wgmma' && effect.op === 'multiply',
  );
  const computed = computedFrom(products.flatMap(destinationsOf), instructions);
  return products.some(({ operands }) => {
    const a = operands[1];
    return (
      a?.kind === 'vector' &&
      a.elements.some((item) => item.kind === 'register' && computed.has(item.register))
    );
  });
}

/** Registers whose values are computed from those of others, and these. */
function computedFrom(
  registers: readonly number[],
  instructions: readonly Instruction[],
): ReadonlySet<number> {
  const computed = new Set(registers);
  const computing = instructions.filter(
    ({ effect }) => effect.kind === 'compute' || effect.kind === 'lanes',
  );
  for (let size = -1; size !== computed.size;) {
    size = computed.size;
    for (const instruction of computing)
      if (readsOf(instruction).some((register) => computed.has(register)))
        for (const register of destinationsOf(instruction)) computed.add(register);
  }
  return computed;
}
