// The time of a launch whose warps compete for the SMs, and whose SMs compete for memory.
import type { IssueTrace } from '@poundlock/core/internal/program';
import type { IssueCosts } from './costs.ts';
import { SmIssue, type Memory } from './sm-issue.ts';
import { touchedBy } from './working-set.ts';

/** What a launch is. */
export interface IssuedLaunch {
  readonly blocks: number;
  /** Blocks that fit on an SM. */
  readonly fitting: number;
  /** Of one block. */
  readonly sharedBytes: number;
}

/** Instructions of an SM that are simulated; the blocks after these take as long as those before. */
const MOST_ISSUED = 1_500_000;
const CACHE_BYTES = 256 * 1024;
/** Shares of the L2: what is touched again stays there up to the first, and nothing from the second. */
const FITTING = 0.5;
const OUTGROWN = 0.85;

export interface IssuedTime {
  readonly nanoseconds: number;
  readonly cycles: number;
}

export function timeOfLaunch(trace: IssueTrace, launch: IssuedLaunch, costs: IssueCosts): IssuedTime {
  const { blocks, fitting, sharedBytes } = launch;
  const sms = Math.min(costs.multiprocessors, blocks);
  const ofSm = Math.ceil(blocks / costs.multiprocessors);
  const residents = Math.max(1, Math.min(fitting, ofSm));
  const memory = memoryOf(trace, blocks, sms, costs);
  let steps = 0;
  for (const { at } of trace.blocks.flat()) steps += at.length / trace.blocks.length;
  const most = Math.max(3 * residents, Math.floor(MOST_ISSUED / Math.max(1, steps)), 1);
  const count = Math.min(ofSm, most);
  const cache = Math.max(16 * 1024, CACHE_BYTES - residents * (sharedBytes + 1024));
  const sm = new SmIssue(trace, costs, memory, residents, cache);
  sm.run(count);
  const ends = sm.ends.toSorted((one, other) => one - other);
  let cycles = ends.at(-1)!;
  if (count < ofSm) {
    const from = Math.min(residents, count - 2);
    const rate = (ends.at(-1 - 0)! - ends[from]!) / (count - 1 - from);
    cycles += rate * (ofSm - count);
  }
  return { cycles, nanoseconds: costs.launchNanoseconds + costs.firstNanoseconds + (cycles * 1000) / costs.megahertz };
}

function memoryOf(trace: IssueTrace, blocks: number, sms: number, costs: IssueCosts): Memory {
  const touched = touchedBy(trace, blocks);
  const all = touched.reduce((sum, { bytes }) => sum + bytes, 0);
  const share = all / costs.l2Bytes;
  const missing = Math.min(1, Math.max(0, (share - FITTING) / (OUTGROWN - FITTING)));
  const perCycle = (bytesPerNanosecond: number): number =>
    (sms * costs.megahertz) / 1000 / bytesPerNanosecond;
  return {
    fromHbm: touched.map(({ blocksOfByte }) => missing / blocksOfByte),
    isShared: touched.map(({ blocksOfByte }) => blocksOfByte > 1.5),
    isWrittenBack: missing > 0,
    l2CyclesPerByte: perCycle(costs.l2BytesPerNanosecond),
    hbmCyclesPerByte: perCycle(costs.hbmBytesPerNanosecond),
  };
}
