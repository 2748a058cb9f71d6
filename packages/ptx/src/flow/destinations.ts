// Which registers an instruction writes.
import type { Instruction, Operand } from '../text/module.ts';

/** Whether an instruction that may begin with a register leaves nothing there. */
function hasNoResult({ effect, operands }: Instruction): boolean {
  switch (effect.kind) {
    case 'barrier':
      return effect.op !== 'reduce';
    case 'lanes':
      return effect.op === 'join';
    // The tensor core: of the others the first is a place in tensor memory.
    case 'tcgen05':
      return effect.op !== 'load';
    // Of calls: a function by its address, which returns nothing.
    case 'control':
      return effect.op !== 'call' || operands[0]?.kind === 'register';
    case 'compute':
      return effect.operation === 'stackrestore';
    case 'access':
    case 'matrix':
    case 'warp matrix':
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'fence':
    case 'wgmma':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'opaque':
    case 'hint':
      return false;
  }
}

/** Registers that an instruction writes: those of its first operand. */
export function destinationsOf(instruction: Instruction): number[] {
  if (hasNoResult(instruction)) return [];
  const list: number[] = [];
  const add = (operand: Operand | undefined): void => {
    if (operand?.kind === 'register') list.push(operand.register);
    else if (operand?.kind === 'vector' || operand?.kind === 'list') operand.elements.forEach(add);
    else if (operand?.kind === 'pair') {
      add(operand.first);
      add(operand.second);
    }
  };
  add(instruction.operands[0]);
  return list;
}
