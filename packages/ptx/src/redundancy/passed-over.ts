// The instructions between a branch and where its ways meet.
import { successors } from '../flow/successors.ts';
import type { Program } from '../exec/warp/program.ts';

/** Indices of the instructions that lie on the ways of a branch before they meet. */
export function passedOver({ code, meetingPoints }: Program, branch: number): Set<number> {
  const meeting = meetingPoints[branch]!;
  const end = code.instructions.length;
  const found = new Set<number>();
  const open = [...successors(code, code.instructions[branch]!)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === meeting || at >= end || found.has(at)) continue;
    found.add(at);
    open.push(...successors(code, code.instructions[at]!));
  }
  return found;
}
