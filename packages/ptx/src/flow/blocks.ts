// Basic blocks of a function.
import type { PtxFunction } from '../text/module.ts';
import { successors } from './successors.ts';

/** The basic blocks of a function. The block after the last one stands for its end. */
export interface Blocks {
  /** The first instruction of each block; the last entry is the number of instructions. */
  readonly starts: Int32Array;
  /** The block of each instruction, and of the end. */
  readonly blockOf: Int32Array;
  /** Blocks that may follow each block. */
  readonly successors: readonly (readonly number[])[];
}

/** Splits a function into basic blocks. */
export function basicBlocks(code: PtxFunction): Blocks {
  const end = code.instructions.length;
  const isLeader = new Uint8Array(end + 1);
  isLeader[0] = 1;
  isLeader[end] = 1;
  for (const instruction of code.instructions) {
    const next = successors(code, instruction);
    if (next.length === 1 && next[0] === instruction.index + 1) continue;
    for (const target of next) isLeader[target] = 1;
    isLeader[instruction.index + 1] = 1;
  }
  const starts: number[] = [];
  const blockOf = new Int32Array(end + 1);
  for (let at = 0; at <= end; at++) {
    if (isLeader[at] === 1) starts.push(at);
    blockOf[at] = starts.length - 1;
  }
  const following = starts.map((_, block) => {
    const last = (starts[block + 1] ?? 0) - 1;
    if (last < 0) return [];
    return successors(code, code.instructions[last]!).map((target) => blockOf[target]!);
  });
  return { starts: Int32Array.from(starts), blockOf, successors: following };
}
