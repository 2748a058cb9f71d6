// Global memory that asynchronous copies touch where all blocks are executed: it is not compared.
import type { Assumption } from '../steps/run.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

const NOT_COMPARED =
  'what asynchronous copies touch in global memory is not compared between blocks: none touches ' +
  'it at the same time, or without the fences of their proxy';

/** Parts of opcodes that copy nothing, or nothing of global memory. */
const OTHER =
  /^cp\.async\.(bulk\.)?(commit_group|wait_|prefetch|mbarrier)|\.shared::cluster\.shared::cta/;

function isCopy({ opcode, parts }: Instruction): boolean {
  return parts[0] === 'multimem' || (parts[0] === 'cp' && !OTHER.test(opcode));
}

/** What is assumed of the copies that a run executed; `null` where there are none. */
export function copiesBetween(
  { instructions }: PtxFunction,
  reached: Uint8Array,
): Assumption | null {
  const first = instructions.find((each) => reached[each.index] === 1 && isCopy(each));
  return first === undefined ? null : { at: first.index, text: NOT_COMPARED };
}
