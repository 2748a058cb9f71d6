// Functions whose address a text takes, so that a register may hold it.
import { controlOf } from '../isa/questions.ts';
import type { Operand, PtxFunction, PtxModule } from '../text/module.ts';

/** Names that an operand has the address of. */
export function namesIn(operand: Operand): string[] {
  switch (operand.kind) {
    case 'symbol':
      return [operand.name];
    case 'address':
      return [operand.base, ...operand.more].flatMap(namesIn);
    case 'vector':
    case 'list':
      return operand.elements.flatMap(namesIn);
    case 'register':
    case 'immediate':
    case 'special':
    case 'not':
    case 'pair':
    case 'sink':
      return [];
  }
}

/** Functions with a body whose address instructions or initial values of variables hold. */
export function functionsByAddress(module: PtxModule): PtxFunction[] {
  const names = new Set<string>();
  for (const { instructions } of module.functions.values())
    for (const each of instructions)
      if (controlOf(each) !== 'call')
        for (const name of each.operands.flatMap(namesIn)) names.add(name);
  for (const { initial } of module.variables)
    for (const value of initial) if ('symbol' in value) names.add(value.symbol);
  return [...module.functions.values()].filter(
    ({ name, isDefined }) => isDefined && names.has(name),
  );
}
