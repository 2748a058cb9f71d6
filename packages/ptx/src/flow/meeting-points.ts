// Where lanes of a warp that went different ways meet again: the immediate post-dominator.
// The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
import type { PtxFunction } from '../text/module.ts';
import { basicBlocks } from './blocks.ts';
import type { Blocks } from './blocks.ts';

/** For each instruction, the index of the instruction at which all ways from it meet again. */
export type MeetingPoints = Int32Array;

/** Finds the meeting point of each instruction; the number of instructions stands for the end. */
export function meetingPoints(code: PtxFunction): MeetingPoints {
  const blocks = basicBlocks(code);
  const dominator = immediatePostDominators(blocks);
  const end = code.instructions.length;
  const points = new Int32Array(end + 1).fill(end);
  for (let at = 0; at < end; at++) {
    const block = dominator[blocks.blockOf[at]!]!;
    points[at] = block < 0 ? end : blocks.starts[block]!;
  }
  return points;
}

/** The immediate post-dominator of each block; -1 where no way leads to the end. */
function immediatePostDominators(blocks: Blocks): Int32Array {
  const exit = blocks.starts.length - 1;
  const order = reverseOrder(blocks, exit);
  const rank = new Int32Array(exit + 1).fill(-1);
  for (const [position, block] of order.entries()) rank[block] = position;
  const dominator = new Int32Array(exit + 1).fill(-1);
  dominator[exit] = exit;
  const common = (left: number, right: number): number => {
    let one = left;
    let other = right;
    while (one !== other) {
      while (rank[one]! < rank[other]!) one = dominator[one]!;
      while (rank[other]! < rank[one]!) other = dominator[other]!;
    }
    return one;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (let position = order.length - 2; position >= 0; position--) {
      const block = order[position]!;
      let next = -1;
      for (const successor of blocks.successors[block]!) {
        if (dominator[successor]! < 0) continue;
        next = next < 0 ? successor : common(next, successor);
      }
      changed ||= next !== dominator[block];
      dominator[block] = next;
    }
  }
  return dominator;
}

/** Blocks from which the end can be reached, in postorder of the reversed graph. */
function reverseOrder(blocks: Blocks, exit: number): number[] {
  const predecessors: number[][] = Array.from({ length: exit + 1 }, () => []);
  for (const [block, list] of blocks.successors.entries())
    for (const successor of list) predecessors[successor]!.push(block);
  const order: number[] = [];
  const isSeen = new Uint8Array(exit + 1);
  const stack: { readonly block: number; next: number }[] = [{ block: exit, next: 0 }];
  isSeen[exit] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const predecessor = predecessors[top.block]![top.next++];
    if (predecessor === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (isSeen[predecessor] === 0) {
      isSeen[predecessor] = 1;
      stack.push({ block: predecessor, next: 0 });
    }
  }
  return order;
}
