// Which kernels as built a model can time: where most of what they issue and move has a price.
import { grouped, NotTimedError } from '@poundlock/core/internal/base';
import type { Program, TimedWork, Timing } from '@poundlock/core/internal/program';
import { beyondIssue } from './issue/issue-domain.ts';
import { timeOfLaunch, type IssuedTime } from './issue/launch-issue.ts';
import type { LaunchRun } from './launch-run.ts';
import type { Costs } from './model.ts';

/** The least part of instructions and bytes that has to have a price. */
const PRICED = 0.9;
/**
 * The most of the cycles in which schedulers issue: warps do not compete for them here. Launches
 * that issue in more than 55 % come out 12 % too short in the median: bench/results/real.md.
 */
const ISSUING = 0.85;
/** Schedulers of an SM, each of which issues an instruction of a warp in a cycle. */
const SCHEDULERS = 4;
/** How much more, or less, another cluster may issue than the first one. */
const UNLIKE = 0.1;
/** Nanoseconds from one block to the next that the GPU begins, as on an H100 and an H200. */
const BLOCK_NANOSECONDS = 4.7;
/** The most of the time that beginning blocks may take. */
const BEGINNING = 0.1;

/**
 * The time of a kernel as built that does not wait for asynchronous units: that of its warps, which
 * compete for the SM and for memory. `null`: the run of its roles is the time.
 *
 * @throws NotTimedError that says what has no price.
 */
export function issuedTimeOf(
  program: Program,
  launched: LaunchRun,
  costs: Costs,
): IssuedTime | null {
  const { kernel, params } = program;
  if (kernel.reference === undefined) return null;
  const timing = kernel.timing?.(params) ?? null;
  const trace = timing?.trace ?? null;
  const isModeled = costs.idleMegahertz > 0;
  if (timing === null || trace === null || !isModeled) {
    const lacks = isModeled && timing?.isOfRoles === false ? timing.lacks : null;
    const why = timing === null ? NO_TIMES : (lacks ?? beyond(timing, launched, costs));
    if (why === null) return null;
    throw new NotTimedError(`not timed: ${why}`);
  }
  const { ctas: blocks, ctasPerSm, sharedBytes } = launched.occupancy;
  const lacks = beyondIssue(trace, timing.work, blocks);
  if (lacks !== null) throw new NotTimedError(`not timed: ${lacks}`);
  return timeOfLaunch(trace, { blocks, ctasPerSm, sharedBytes }, costs);
}

const NO_TIMES = 'the instructions between the operations of this run have no prices';

function beyond({ work, unpriced }: Timing, launched: LaunchRun, costs: Costs): string | null {
  const { instructions, unpricedInstructions, copiedBytes, threadBytes } = work;
  const withoutPrice = unpricedInstructions / Math.max(1, instructions);
  if (withoutPrice > 1 - PRICED)
    return `${percent(withoutPrice)} of its instructions have no price: ${unpriced.join(', ')}`;
  const byThreads = threadBytes / Math.max(1, threadBytes + copiedBytes);
  if (byThreads > 1 - PRICED)
    return (
      `${percent(byThreads)} of its bytes are loaded and stored by threads, which the model of ` +
      'roles has no price for'
    );
  const { occupancy, waveCycles, microseconds } = launched;
  const unlike = beyondFirst(work, occupancy.waves);
  if (unlike !== null) return unlike;
  const issued = (instructions / work.blocks) * occupancy.ctasPerSm;
  const issuing = issued / SCHEDULERS / Math.max(1, waveCycles);
  if (issuing > ISSUING)
    return (
      `its warps issue an instruction in ${percent(issuing)} of the cycles of each scheduler, ` +
      'and roles do not compete'
    );
  const beginning = (occupancy.ctas * BLOCK_NANOSECONDS) / 1000 / Math.max(1e-9, microseconds);
  if (costs.idleMegahertz > 0 && beginning > BEGINNING && occupancy.waves > 1)
    return (
      `beginning its ${grouped(occupancy.ctas)} blocks takes ${percent(beginning)} of the time, ` +
      'which the model of roles has no price for'
    );
  return null;
}

/** Whether the first cluster stands for those whose work is known, as it does for all roles. */
function beyondFirst({ instructions, others }: TimedWork, waves: number): string | null {
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const isShort = most > (1 + UNLIKE) * instructions;
  const isLong = waves > 1 && least < (1 - UNLIKE) * instructions;
  if (!isShort && !isLong) return null;
  const [first, other] = [instructions, isShort ? most : least].map(grouped);
  return (
    `the first cluster issues ${first} instructions and another one ${other}, and the model of ` +
    'roles takes all for the first'
  );
}

function percent(part: number): string {
  return `${Math.round(100 * part)} %`;
}
