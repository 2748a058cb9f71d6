// Addresses that are drawn: numbers that threads take from a counter by atomic additions.
import type { Instruction, Operand } from '../text/module.ts';
import type { Definitions } from './definitions.ts';

/** What says which lanes there are, and what they have in common. */
const OF_LANES = new Set(['activemask', 'vote', 'match', 'elect']);

/** Whether an address consists of what an atomic addition returned, and of nothing loaded. */
export function isDrawn(definitions: Definitions, operand: Operand, at: number): boolean {
  const drawn = new Set<Instruction>();
  const behind = definitions.behind(operand, at, (instruction) => {
    const { parts, operands } = instruction;
    if (parts[0] === 'atom') {
      if (!parts.includes('add') && !parts.includes('inc')) return null;
      drawn.add(instruction);
      return [];
    }
    if (parts[0] === 'ld' || parts[0] === 'ldu')
      return (parts[1] ?? '').startsWith('param') ? [] : null;
    if (OF_LANES.has(parts[0]!)) return [];
    return parts[0] === 'shfl' ? operands.slice(1, 2) : operands.slice(1);
  });
  // Numbers of two counters may be the same.
  return behind !== null && drawn.size === 1;
}
