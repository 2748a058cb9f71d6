// Arrivals with `.noComplete`: the PTX ISA leaves undefined what one does that ends its phase. One
// that its thread follows by another arrival at the same phase ends it in no order.
import type { Assumption, WarpSteps } from '../../steps/run.ts';
import type { Step } from '../../steps/step.ts';
import type { Instruction } from '../../text/module.ts';
import { ALL_LANES, LANES } from '../../values/register-file.ts';

const INCOMPLETE = 'an arrival with .noComplete does not end the phase';

/** What is assumed of such arrivals, where nothing proves it. */
export function incompletePhases(
  warps: readonly WarpSteps[],
  instructions: readonly Instruction[],
): Assumption[] {
  if (!instructions.some(mustNotComplete)) return [];
  const places = new Set<number>();
  for (const { steps, threads } of warps) {
    const all = threads < LANES ? 2 ** threads - 1 : ALL_LANES;
    for (const [index, step] of steps.entries()) {
      if (step.op !== 'arrive' || !mustNotComplete(instructions[step.at]!)) continue;
      if (((step.lanes ?? all) & ~laterAt(steps, index, all)) !== 0) places.add(step.at);
    }
  }
  return [...places].map((at) => ({ name: 'incomplete-phase', at, text: INCOMPLETE }));
}

function mustNotComplete({ effect }: Instruction): boolean {
  return effect.kind === 'mbarrier' && effect.mustNotComplete;
}

/** The lanes that arrive at the phase of an arrival once more. */
function laterAt(steps: readonly Step[], index: number, all: number): number {
  const first = steps[index]!;
  let lanes = 0;
  for (const step of steps.slice(index + 1)) {
    if (step.op !== 'arrive' || first.op !== 'arrive') continue;
    if (step.barrier === first.barrier && step.phase === first.phase) lanes |= step.lanes ?? all;
  }
  return lanes;
}
