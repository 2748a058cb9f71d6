// The agents of a run that got stuck, with what they would do behind their last waits.
import type { ReferenceRun, StepsBehind, WarpSteps } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { allOf } from './mask.ts';
import { partOf } from './project.ts';

/** Adds to each agent its part of what its warp would do; the agents stay those of the run. */
export function withBehind(strands: ReferenceRun, run: ReferenceRun): ReferenceRun {
  const warps = new Map(run.warps.map((warp) => [keyOf(warp), warp]));
  return { ...strands, warps: strands.warps.map((own) => extended(own, warps.get(keyOf(own))!)) };
}

function keyOf({ cta, warp }: WarpSteps): string {
  return `${cta} ${warp}`;
}

function extended(own: WarpSteps, { behind = null, threads }: WarpSteps): WarpSteps {
  if (behind === null) return own;
  const steps = [...own.steps, ...stepsOf(own, behind, allOf(threads))];
  return { ...own, stuck: null, behind, steps };
}

/** What the lanes of an agent make of the steps of their warp. */
function stepsOf({ strand }: WarpSteps, { steps }: StepsBehind, all: number): readonly Step[] {
  if (strand === undefined) return steps;
  const apart = { all, issuersOf: () => 0 };
  const mask = strand.lanes.reduce((lanes, lane) => lanes | (1 << lane), 0);
  return steps.flatMap((step) => (step.op === 'join' ? [] : (partOf(step, mask, apart, []) ?? [])));
}
