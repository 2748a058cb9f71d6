// Data that is written over the bytes of an mbarrier, which is none from then on.
import type { Barrier } from '../machine/barriers.ts';
import type { Warp } from './warp.ts';

const RULE = 'the bytes of an mbarrier are not written as data before mbarrier.inval';
const WHAT = 'uses an mbarrier whose bytes were written as data';

/** Threads or copies write bytes of shared memory as data. */
export function writeData(warp: Warp, from: number, to: number): void {
  if (warp.lookAhead === null) warp.machine.barriers.writeData(from, to, !warp.isUncertain);
}

/** Reports the use of a barrier over which data was written. */
export function checkIntact(warp: Warp, barrier: Barrier): void {
  if (barrier.data === 'none' || warp.lookAhead !== null) return;
  const { machine, instruction } = warp;
  const text = `${instruction.opcode} ${WHAT}`;
  if (barrier.data === 'certain')
    machine.misuse('uninitialized-barrier', instruction.index, text, RULE, warp, {
      isOrdered: true,
    });
  else machine.fault('uninitialized-barrier', instruction.index, text);
}
