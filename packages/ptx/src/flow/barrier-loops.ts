// Loops in which the threads of a block meet, and do nothing that other blocks can observe.
import { isOfBlock } from '../isa/questions.ts';
import type { PtxFunction } from '../text/module.ts';
import { successors } from './successors.ts';

const known = new WeakMap<PtxFunction, Map<number, boolean>>();

/**
 * Whether a way from an instruction to it, or to one with the same opcode, meets other warps and
 * does nothing else that others can observe.
 */
export function isInBarrierLoop(code: PtxFunction, index: number): boolean {
  let ofCode = known.get(code);
  if (ofCode === undefined) known.set(code, (ofCode = new Map()));
  let found = ofCode.get(index);
  if (found === undefined) ofCode.set(index, (found = search(code, index)));
  return found;
}

function search(code: PtxFunction, index: number): boolean {
  const { instructions } = code;
  const { opcode } = instructions[index]!;
  // Before and behind a meeting.
  const seen = [new Set<number>(), new Set<number>()];
  const open: [at: number, hasMet: 0 | 1][] = [[index, 0]];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const [at, hasMet] = state;
    for (const next of successors(code, instructions[at]!)) {
      const instruction = instructions[next];
      if (instruction === undefined) continue;
      if (instruction.opcode === opcode) {
        if (hasMet === 1) return true;
        continue;
      }
      const met = hasMet === 1 || instruction.effect.kind === 'barrier' ? 1 : 0;
      if (!isOfBlock(instruction) || seen[met]!.has(next)) continue;
      seen[met]!.add(next);
      open.push([next, met]);
    }
  }
  return false;
}
