// Arrivals at mbarriers and tries: states of arrivals name a phase, as parities do.
import type { Step } from '../steps/step.ts';
import { lanesOf } from '../values/lane-mask.ts';
import { accessOf } from './accesses.ts';
import { NotProved } from './look.ts';
import { setAll } from './executed.ts';
import type { Executed } from './executed.ts';
import { ANY, slope } from './reach.ts';
import type { Shade } from './reach.ts';

const WHICH_PHASE = 'which phase it waits for may not be the same in all rounds';

/** An arrival whose state is kept: it grows as the phases of its mbarrier do. */
export function arrives(executed: Executed): void {
  const { plan, mask, shades, warp } = executed;
  const [state] = plan.destinations;
  if (state === undefined) return;
  for (const lane of lanesOf(mask)) {
    const shade = ofState(executed, barrierOf(executed, lane));
    shades.set(state, shade, 1 << lane, warp.lanes);
  }
}

/** The address of the mbarrier that an instruction is about, in a lane. */
function barrierOf(executed: Executed, lane: number): number {
  const { operands } = executed.warp.program.code.instructions[executed.at]!;
  const address = operands.find(({ kind }) => kind === 'address');
  return accessOf(executed, address, lane).low;
}

function ofState({ look, follower, part, warp }: Executed, barrier: number): Shade {
  // Up to here all runs are one.
  if (part === 'before') return look.leftAt === Infinity ? null : ANY;
  look.countsPhases = true;
  const phase = warp.machine.barriers.at(barrier)?.phase;
  if (part === 'round' && phase !== undefined) {
    const last = follower.stepBefore((step) => isArrival(step, barrier));
    if (last?.phase === undefined) return ANY;
    look.phases.set(barrier, phase - last.phase);
  }
  const more = look.phases.get(barrier);
  if (more === undefined) return ANY;
  return part === 'round' ? slope(more, 0, 64) : slope(0, more, 64);
}

function isArrival(step: Step, barrier: number): step is Extract<Step, { op: 'arrive' }> {
  return step.op === 'arrive' && step.barrier === barrier;
}

/** A try: an mbarrier, and the parity or the state of a phase. Growing by even numbers keeps it. */
export function tries(executed: Executed): void {
  const { plan, warp, at, shades, mask, follower, context } = executed;
  const { operands, effect } = warp.program.code.instructions[at]!;
  const [, , token] = operands;
  if (token?.kind === 'register')
    for (const lane of lanesOf(mask)) {
      const { shade } = shades.input(warp.registers, token.register, lane);
      if (shade === null) continue;
      const isEven = shade !== ANY && shade.t % 2 === 0 && shade.m % 2 === 0;
      const isByParity = effect.kind === 'mbarrier' && effect.isByParity;
      if (!isEven || !(isByParity || isState(executed, shade, lane)))
        throw new NotProved(at, WHICH_PHASE);
    }
  if (context === follower.main && warp.ahead.look === null) follower.tries(plan.destinations);
  else setAll(executed, null);
}

/** Whether a state grows as the phases of an mbarrier do. */
function isState(executed: Executed, shade: Shade, lane: number): boolean {
  const more = executed.look.phases.get(barrierOf(executed, lane));
  if (more === undefined || !executed.look.countsPhases) return false;
  return shade === (executed.part === 'round' ? slope(more, 0, 64) : slope(0, more, 64));
}
