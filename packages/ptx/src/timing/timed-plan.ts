// The plan of a timed run: between their other actions, roles compute for as long as was counted.
import { lowerRun } from '../lower/roles.ts';
import type { Action, Plan } from '../lower/plan.ts';
import type { TimedLowering } from '../lower/warp-scope.ts';
import type { ReferenceRun } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';

/** Lowers a run whose instructions were timed: cycles before each step. */
export function timedPlan(
  run: ReferenceRun,
  cyclesOf: ReadonlyMap<Step, number>,
  costs: TimedLowering,
): Plan {
  // By warp: cycles before the action of a number.
  const before = run.warps.map(() => new Map<number, number>());
  const plan = lowerRun(
    run,
    (warp, steps, actions) => {
      const step = run.warps[warp]!.steps[steps];
      const cycles = step === undefined ? 0 : (cyclesOf.get(step) ?? 0);
      const all = before[warp]!;
      if (cycles > 0) all.set(actions, (all.get(actions) ?? 0) + cycles);
    },
    costs,
  );
  const roles = plan.roles.map((role, index) => {
    const cycles = before[index];
    return cycles === undefined ? role : { ...role, actions: withCycles(role.actions, cycles) };
  });
  return { ...plan, roles };
}

function withCycles(
  actions: readonly Action[],
  before: ReadonlyMap<number, number>,
): readonly Action[] {
  return actions.flatMap((action, index): Action[] => {
    const cycles = before.get(index) ?? 0;
    return cycles > 0 ? [{ kind: 'compute', at: action.at, cycles }, action] : [action];
  });
}
