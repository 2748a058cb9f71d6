// The time of a launch whose warps compete for the SMs, and whose SMs compete for memory.
import type { IssueTrace } from '@poundlock/core/internal/program';
import { atMegahertz, type Costs } from '../model.ts';
import { MemoryPath } from './memory-path.ts';
import { SmIssue } from './sm-issue.ts';

/** What is known of a launch beside what its warps issue. */
export interface IssuedLaunch {
  readonly blocks: number;
  /** Blocks that an SM holds, and the shared memory of each. */
  readonly ctasPerSm: number;
  readonly sharedBytes: number;
}

/** A launch that was timed, from the end of the one before to its own. */
export interface IssuedTime {
  readonly cycles: number;
  readonly megahertz: number;
  /** Of the time that the SMs run: the part in which each of these was busy. */
  readonly issuing: number;
  readonly multiplying: number;
  readonly l2: number;
  readonly hbm: number;
}

/** Instructions of an SM that are simulated; blocks after these take as long as those before. */
const MOST_ISSUED = 1_500_000;
/** Blocks of an SM that are simulated at least, as a multiple of those that it holds at a time. */
const LEAST_ROUNDS = 3;
const SCHEDULERS = 4;

/** The time of a launch, at the clock that its tensor cores leave it. */
export function timeOfLaunch(trace: IssueTrace, launch: IssuedLaunch, costs: Costs): IssuedTime {
  const { idleMegahertz, tensorMegahertz, loadMegahertz } = costs;
  const first = timeAt(trace, launch, costs, idleMegahertz);
  if (first.multiplying === 0) return first;
  const megahertz = tensorMegahertz - loadMegahertz * Math.min(1, first.multiplying) ** 2;
  return timeAt(trace, launch, atMegahertz(costs, megahertz), megahertz);
}

function timeAt(
  trace: IssueTrace,
  { blocks, ctasPerSm, sharedBytes }: IssuedLaunch,
  costs: Costs,
  megahertz: number,
): IssuedTime {
  const sms = Math.min(costs.multiprocessors, blocks);
  const ofSm = Math.ceil(blocks / costs.multiprocessors);
  const residents = Math.max(1, Math.min(ctasPerSm, ofSm));
  const memory = new MemoryPath(trace, costs, { blocks, sms, residents, sharedBytes });
  const sm = new SmIssue(trace, costs, memory, residents);
  const count = Math.min(ofSm, simulatedBlocks(trace, residents));
  sm.run(count);
  const { ends } = sm;
  const simulated = ends.at(-1)!;
  const all = simulated + (ofSm - count) * cyclesOfBlock(ends, residents);
  const share = (cycles: number): number => Math.min(1, cycles / simulated);
  return {
    cycles:
      costs.nextLaunchCycles + Math.max(all, cyclesOfEnds(trace, costs, residents, sharedBytes)),
    megahertz,
    issuing: share(sm.slots / SCHEDULERS),
    multiplying: share(sm.tensorCycles / SCHEDULERS),
    l2: share(memory.l2.taken),
    hbm: share(memory.hbm.taken),
  };
}

/** Cycles of the first block and of the last one, each beside others on a GPU of its own. */
function cyclesOfEnds(
  trace: IssueTrace,
  costs: Costs,
  residents: number,
  sharedBytes: number,
): number {
  const cycles = trace.ends.map((block) => {
    const beside = { ...trace, blocks: [block, ...trace.blocks] };
    const launched = { blocks: residents, sms: 1, residents, sharedBytes };
    const sm = new SmIssue(beside, costs, new MemoryPath(beside, costs, launched), residents);
    sm.run(residents);
    return sm.ends.at(-1)!;
  });
  return Math.max(...cycles);
}

function simulatedBlocks(trace: IssueTrace, residents: number): number {
  let steps = 0;
  for (const { at } of trace.blocks.flat()) steps += at.length / trace.blocks.length;
  return Math.max(LEAST_ROUNDS * residents, Math.floor(MOST_ISSUED / Math.max(1, steps)));
}

/** Between the ends of two blocks, once the SM is full. */
function cyclesOfBlock(ends: readonly number[], residents: number): number {
  const from = Math.min(residents, ends.length - 2);
  if (from < 0) return ends.at(-1)!;
  return (ends.at(-1)! - ends[from]!) / (ends.length - 1 - from);
}
