// A kernel as built with the time of its instructions, for `simulate`: it is executed once more.
import type { Timing, WaitStyle } from '@poundlock/core/internal/program';
import { rolesOf } from '../lower/kernel.ts';
import type { MakeRoles } from '../lower/kernel.ts';
import { volume } from '../launch/launch.ts';
import type { Launch } from '../launch/launch.ts';
import type { Observer } from '../exec/machine/observer.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { AsyncUnit, Ranges } from '../steps/step.ts';
import type { PtxFunction } from '../text/module.ts';
import type { InstructionCosts } from './instruction-times.ts';
import { IssueTimes } from './issue-times.ts';
import { synchronizingCyclesOf } from './synchronizing-cycles.ts';
import { timedPlan } from './timed-plan.ts';
import { waitStyleOf } from './wait-style.ts';

/** Executes a launch beside an observer. */
export interface TimedLaunch {
  readonly launch: Launch;
  readonly code: PtxFunction;
  readonly run: (observer: Observer) => ExecutedRun;
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
  { launch, code, run }: TimedLaunch,
  costs: InstructionCosts,
): { readonly makeRoles: MakeRoles; readonly timing: Timing } | null {
  const times = new IssueTimes(costs, launch);
  const executed = run(times);
  if (executed.undecided.length > 0) return null;
  const plan = timedPlan(executed, times.cyclesOf(), costs);
  const styles = executed.warps.map((warp): WaitStyle => waitStyleOf(warp, code));
  const makeRoles = rolesOf(plan, executed, {
    launched: {
      ctas: volume(launch.grid),
      copies: hasMaps(executed) ? 'tensor' : 'bulk',
      ...(launch.source === undefined ? {} : { source: launch.source }),
    },
    fenceCyclesOf: (at) => {
      const effect = executed.effectOf(at);
      return (effect && synchronizingCyclesOf(effect)) ?? 0;
    },
    waitsOf: (index) => styles[index],
  });
  return { makeRoles, timing: times.timingOf(executed.ctas, copiedBytes(executed)) };
}
