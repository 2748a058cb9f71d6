// Which way of a branch leads back to it: where a loop goes on.
import { controlOf } from '../isa/questions.ts';
import type { PtxFunction } from '../text/module.ts';
import { successors } from './successors.ts';

/**
 * Whether a branch goes on with its loop where its predicate is true; `null` if it is in no loop,
 * or both ways are equally far from it.
 */
export function goesOnWhere(code: PtxFunction, at: number): boolean | null {
  const branch = code.instructions[at]!;
  if (controlOf(branch) !== 'branch' || branch.guard === null) return null;
  const taken = distance(code, branch.targets[0]!, at);
  const falling = distance(code, at + 1, at);
  if (taken === falling) return null;
  return taken < falling !== branch.guard.negated;
}

/** Instructions on the shortest way from one to another. */
function distance(code: PtxFunction, from: number, to: number): number {
  const end = code.instructions.length;
  const isSeen = new Uint8Array(end + 1);
  let front = [from];
  isSeen[from] = 1;
  for (let steps = 0; front.length > 0; steps++) {
    const next: number[] = [];
    for (const at of front) {
      if (at === to) return steps;
      if (at >= end) continue;
      for (const target of successors(code, code.instructions[at]!)) {
        if (isSeen[target] === 1) continue;
        isSeen[target] = 1;
        next.push(target);
      }
    }
    front = next;
  }
  return Number.POSITIVE_INFINITY;
}
