// Whether a read is of shared memory, as far as that is known before it is executed.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import { accessSpace, readOf } from '../../isa/questions.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { addressOf } from './builder.ts';
import { address } from './lane.ts';
import { firstLane, lanesOf } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** Why a run ends at a wait for a word that it does not follow yet. */
export const WAITS_FOR_WORD =
  'it waits until another warp has written a word of shared memory: such waits are followed for ' +
  'barriers, and for words of global memory';

const at: Wide = { low: 0, high: 0 };

/** The address that an instruction reads, if it may be one of shared memory; else `null`. */
export function sharedReadOf(instruction: Instruction, slots: Slots): ReadAddress | null {
  const read = readOf(instruction);
  if (read === null || read.isUniform) return null;
  if (read.space !== 'generic' && read.space !== 'shared') return null;
  return address(addressOf(instruction, 1), slots);
}

/** Whether lanes read shared memory, by the registers that they have now. */
export function isSharedRead(warp: Warp, instruction: Instruction, mask: number): boolean {
  const space = accessSpace(instruction);
  if (space !== 'generic') return space === 'shared';
  const read = warp.program.sharedReads[instruction.index]!;
  return read !== null && read(warp, firstLane(mask), at) && at.high === SHARED_WINDOW;
}

/** The words of shared memory that lanes read, by their addresses there. */
export function sharedWordsOf(warp: Warp, instruction: Instruction, mask: number): Set<number> {
  const words = new Set<number>();
  const read = warp.program.sharedReads[instruction.index];
  for (const lane of lanesOf(mask)) if (read?.(warp, lane, at) === true) words.add(at.low);
  return words;
}
