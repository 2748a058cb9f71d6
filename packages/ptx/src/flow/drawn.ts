// Addresses that are drawn: numbers that threads take from a counter by atomic additions.
import { readOf } from '../isa/questions.ts';
import type { Instruction, Operand } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

/** Whether an address consists of what an atomic addition returned, and of nothing loaded. */
export function isDrawn(definitions: Definitions, operand: Operand, at: number): boolean {
  const drawn = new Set<Instruction>();
  const behind = definitions.behind(operand, at, (instruction) => {
    const { effect, operands } = instruction;
    const read = readOf(instruction);
    if (read?.op === 'load') return read.space === 'param' ? [] : null;
    if (read !== null) {
      if (read.operation !== 'add' && read.operation !== 'inc') return null;
      drawn.add(instruction);
      return [];
    }
    if (effect.kind !== 'lanes' || effect.op === 'reduce') return operands.slice(1);
    // Others say which lanes there are, and what they have in common.
    return effect.op === 'shuffle' ? operands.slice(1, 2) : [];
  });
  // Numbers of two counters may be the same.
  return behind !== null && drawn.size === 1;
}
