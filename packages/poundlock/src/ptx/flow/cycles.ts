// Which instructions may be executed again after themselves.
import type { PtxFunction } from '../text/module.ts';
import { successors } from './successors.ts';

const known = new WeakMap<PtxFunction, Map<number, boolean>>();

/** Whether an instruction is in a loop. */
export function isInLoop(code: PtxFunction, index: number): boolean {
  let ofCode = known.get(code);
  if (ofCode === undefined) known.set(code, (ofCode = new Map()));
  let found = ofCode.get(index);
  if (found === undefined) ofCode.set(index, (found = search(code, index)));
  return found;
}

function search(code: PtxFunction, index: number): boolean {
  const { instructions } = code;
  const seen = new Set<number>();
  const open = [...successors(code, instructions[index]!)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === index) return true;
    if (next >= instructions.length || seen.has(next)) continue;
    seen.add(next);
    open.push(...successors(code, instructions[next]!));
  }
  return false;
}
