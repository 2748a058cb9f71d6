// A kernel as built with the time of its instructions, for `simulate`: it is executed once more.
import type { Timing, WaitStyle } from '@poundlock/core/internal/program';
import { rolesOf } from '../lower/kernel.ts';
import type { MakeRoles } from '../lower/kernel.ts';
import { volume } from '../launch/launch.ts';
import type { Dimensions, Launch } from '../launch/launch.ts';
import type { Observer } from '../exec/machine/observer.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { AsyncUnit, Ranges } from '../steps/step.ts';
import type { PtxFunction } from '../text/module.ts';
import { hasChainedProducts } from './chained-products.ts';
import type { InstructionCosts } from './instruction-times.ts';
import { IssueRecorder } from './issue-recorder.ts';
import { IssueTimes } from './issue-times.ts';
import { workCyclesOf } from './product-cycles.ts';
import { estimatedRegisters } from './register-estimate.ts';
import { sharedShareOf } from './shared-copies.ts';
import { synchronizingCyclesOf } from './synchronizing-cycles.ts';
import { timedPlan } from './timed-plan.ts';
import { waitStyleOf } from './wait-style.ts';

/** Executes a launch beside an observer. */
export interface TimedLaunch {
  readonly launch: Launch;
  readonly code: PtxFunction;
  /** Shared memory of a CTA: its variables, and what the launch adds. */
  readonly sharedBytes: number;
  readonly run: (observer: Observer) => ExecutedRun;
  /** Executes the cluster at a place of the grid. */
  readonly runAt: (place: Dimensions, observer: Observer, isOver?: () => boolean) => ExecutedRun;
}

/** Whether copies are boxes of tensor maps: those of one kernel are made alike. */
function hasMaps({ warps }: ExecutedRun): boolean {
  return warps.some(({ steps }) => steps.some((step) => step.op === 'copy' && step.map !== null));
}

/** The bytes that units copy: of a load what it writes, and of a store what it reads. */
function copiedBytes({ warps }: ExecutedRun): number {
  let bytes = 0;
  for (const { steps } of warps)
    for (const step of steps)
      if (step.op === 'copy' || (step.op === 'use' && COPYING.has(step.unit)))
        bytes += Math.max(bytesOf(step.reads), bytesOf(step.writes));
  return bytes;
}

const COPYING: ReadonlySet<AsyncUnit> = new Set(['bulk', 'cpAsync']);

function bytesOf(ranges: Ranges): number {
  let bytes = 0;
  for (let at = 0; at < ranges.length; at += 2) bytes += ranges[at + 1]! - ranges[at]!;
  return bytes;
}

/** The roles of a launch, which compute between their operations; `null` where it is undecided. */
export function timedRoles(
  timed: TimedLaunch,
  costs: InstructionCosts,
): { readonly makeRoles: MakeRoles; readonly timing: Timing } | null {
  const { launch, code, sharedBytes, run } = timed;
  const recorder = new IssueRecorder(launch);
  const times = new IssueTimes(costs, recorder);
  const executed = run(times);
  if (executed.undecided.length > 0) return null;
  const timing = times.timingOf(executed.ctas, copiedBytes(executed));
  recorder.end(executed);
  const others = recordOthers(timed, costs, recorder, times.instructions);
  const plan = timedPlan(executed, times.cyclesOf(), costs);
  const styles = executed.warps.map((warp): WaitStyle => waitStyleOf(warp, code));
  const makeRoles = rolesOf(plan, executed, {
    launched: {
      ctas: volume(launch.grid),
      registers: launch.registers ?? estimatedRegisters(code, volume(launch.block)),
      sharedBytes,
      copies: hasMaps(executed) ? 'tensor' : 'bulk',
      ...(launch.source === undefined ? {} : { source: launch.source }),
    },
    fenceCyclesOf: (at) => {
      const effect = executed.effectOf(at);
      return (effect && synchronizingCyclesOf(effect)) ?? 0;
    },
    workCyclesOf: (at) => workCyclesOf(code.instructions[at]!, costs),
    waitsOf: (index) => styles[index],
  });
  const { lacks, isOfRoles } = recorder;
  const work = { ...timing.work, others, sharedShare: sharedShareOf(timed, executed) };
  const isChained = hasChainedProducts(code);
  const trace = recorder.trace();
  return {
    makeRoles,
    timing: { ...timing, hasChainedProducts: isChained, work, trace, lacks, isOfRoles },
  };
}

/** Where in the grid blocks are executed that stand for the others: parts of each dimension. */
const PARTS = [0.381, 0.618, 0.854];
/** The most instructions of all of these. */
const MOST_STEPS = 1_500_000;

/**
 * Executes the last block, and some from the middle of the grid: the first is often a special one.
 * Returns the instructions of each.
 */
function recordOthers(
  { launch, runAt }: TimedLaunch,
  costs: InstructionCosts,
  recorder: IssueRecorder,
  instructions: number,
): readonly number[] {
  const { grid, cluster } = launch;
  const others: number[] = [];
  if (volume(grid) === volume(cluster)) return others;
  let left = MOST_STEPS - instructions;
  for (const part of [1, ...(volume(grid) > PARTS.length ? PARTS : [])]) {
    if (left < instructions) break;
    const along = (axis: 0 | 1 | 2): number => {
      const clusters = grid[axis] / cluster[axis];
      return Math.min(Math.floor(part * clusters), clusters - 1);
    };
    const times = new IssueTimes(costs, recorder);
    recorder.end(runAt([along(0), along(1), along(2)], times));
    others.push(times.instructions);
    left -= times.instructions;
  }
  return others;
}
