// Which registers an instruction writes.
import type { Instruction, Operand } from '../text/module.ts';

/** Mnemonics whose first operand is a register that they only read. */
const ONLY_READS = new Set(['brx', 'nanosleep', 'stackrestore']);

/** Whether an instruction that may begin with a register leaves nothing there. */
function hasNoResult({ parts, operands }: Instruction): boolean {
  const [name] = parts as [string];
  if (name === 'bar' || name === 'barrier') return !parts.includes('red');
  // The tensor core: of the others the first is a place in tensor memory.
  if (name === 'tcgen05') return parts[1] !== 'ld';
  // A function by its address, which returns nothing.
  if (name === 'call') return operands[0]?.kind === 'register';
  return ONLY_READS.has(name);
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
