// Bytes of an mbarrier that are used again: as data, which makes it none, or for another one. The
// ISA asks for mbarrier.inval before either, and hardware where something uses the barrier (H17).
import type { Barrier } from '../machine/barriers.ts';
import { breach } from '../machine/practices.ts';
import type { Warp } from './warp.ts';

const RULE = 'the bytes of an mbarrier are not used again before mbarrier.inval';
const WHAT = 'uses an mbarrier whose bytes were written as data';

/** Threads or copies write bytes of shared memory as data. */
export function writeData(warp: Warp, from: number, to: number): void {
  if (warp.ahead.look !== null) return;
  if (warp.machine.barriers.writeData(from, to, !warp.mode.isUncertain)) useAgain(warp);
}

/** An mbarrier is initialized, perhaps where one is, or by several lanes at once. */
export function initBarrier(
  warp: Warp,
  address: number,
  arrivals: number,
  isOfSeveral: boolean,
): void {
  const { barriers } = warp.machine;
  // What the last thread invalidates is still there.
  const isThere = barriers.at(address)?.data === 'none' && !warp.mode.isLast;
  if (isThere || isOfSeveral) useAgain(warp);
  barriers.init(address, arrivals);
}

function useAgain(warp: Warp): void {
  const text = `${warp.instruction.opcode} in the bytes of an mbarrier that is not invalidated`;
  const certain = warp.machine.certainty(warp, RULE);
  const proved = certain === undefined ? {} : { certain: { ...certain, isOrdered: true } };
  breach(warp, 'H17', { rule: 'uninitialized-barrier', text, ...proved });
}

/** Reports the use of a barrier over which data was written. */
export function checkIntact(warp: Warp, barrier: Barrier): void {
  if (barrier.data === 'none' || warp.ahead.look !== null) return;
  const { machine, instruction } = warp;
  const text = `${instruction.opcode} ${WHAT}`;
  if (barrier.data === 'certain')
    machine.misuse('uninitialized-barrier', instruction.index, text, RULE, warp, {
      isOrdered: true,
    });
  else machine.fault('uninitialized-barrier', instruction.index, text);
}
