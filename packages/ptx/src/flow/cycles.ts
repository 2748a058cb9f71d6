// Which instructions may be executed again after themselves.
import type { PtxFunction } from '../text/module.ts';
import { successors } from './successors.ts';

const known = new WeakMap<PtxFunction, Map<number, boolean>>();

/** Whether an instruction is in a loop. */
export function isInLoop(code: PtxFunction, index: number): boolean {
  let ofCode = known.get(code);
  if (ofCode === undefined) known.set(code, (ofCode = new Map()));
  let found = ofCode.get(index);
  if (found === undefined) ofCode.set(index, (found = reachable(code, index).has(index)));
  return found;
}

/** The instructions that may be executed after one. */
function reachable(code: PtxFunction, index: number): ReadonlySet<number> {
  const { instructions } = code;
  const seen = new Set<number>();
  const open = [...successors(code, instructions[index]!)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next >= instructions.length || seen.has(next)) continue;
    seen.add(next);
    open.push(...successors(code, instructions[next]!));
  }
  return seen;
}

const repeated = new WeakMap<PtxFunction, Map<number, boolean>>();

/** Whether an instruction, or one with the same opcode behind it, is in a loop. */
export function mayRepeat(code: PtxFunction, index: number): boolean {
  let ofCode = repeated.get(code);
  if (ofCode === undefined) repeated.set(code, (ofCode = new Map()));
  let found = ofCode.get(index);
  if (found === undefined) {
    const { opcode } = code.instructions[index]!;
    const behind = [...reachable(code, index)];
    found = [index, ...behind].some(
      (each) => code.instructions[each]!.opcode === opcode && isInLoop(code, each),
    );
    ofCode.set(index, found);
  }
  return found;
}
