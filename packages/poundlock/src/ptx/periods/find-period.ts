// A number of a launch with which the loops of the warps run more often: after how much of it the
// steps of all warps repeat.
import type { Periods } from '@poundlock/core/internal/program';
import type { Action, Plan, Uses } from '../lower/plan.ts';
import type { ReferenceRun } from '../steps/run.ts';
import { actionKey } from './action-key.ts';
import { isRepeated, repetitionOf, type Repetition } from './repetition.ts';

/** The plan of one value, and its run. */
export interface Sized {
  readonly plan: Plan;
  readonly run: ReferenceRun;
}

/** What each warp does, as texts. */
type Lists = readonly (readonly string[])[];

/** A plan for `first + step · periods`, whatever the number of periods. */
export interface PeriodicPlan extends Sized {
  readonly first: number;
}

/** Plans for all values from one on: one for each rest of the division by the period. */
export interface PeriodicPlans extends Omit<Periods, 'kernels'> {
  readonly plans: readonly PeriodicPlan[];
}

/** Values from which a period is looked for: pipelines are full with so many rounds. */
const STARTS = [4, 12] as const;
/** The longest period that is looked for. */
const MAX_STEP = 16;
/** How many lists must repeat the same part. */
const LISTS = 4;
/** Values that a period must hold for as well. */
const BEYOND = [64, 133] as const;

/** Finds plans for all values, from those of single ones; `null` where none repeat. */
export function findPeriods(
  sized: (value: number) => Sized | null,
  isOver: () => boolean,
): PeriodicPlans | null {
  const keys = new Map<number, Lists>();
  const listsOf = (value: number): Lists | null => {
    const known = keys.get(value);
    if (known !== undefined) return known;
    const found = sized(value);
    if (found === null) return null;
    const { plan } = found;
    const lists = plan.roles.map(({ actions }) => actions.map((one) => actionKey(one, plan)));
    keys.set(value, lists);
    return lists;
  };
  for (const from of STARTS)
    for (let step = 1; step <= MAX_STEP && !isOver(); step++) {
      const plans: PeriodicPlan[] = [];
      for (let first = from; first < from + step; first++) {
        const plan = planOf(first, step, listsOf, sized);
        if (plan === null) break;
        plans.push(plan);
      }
      const last = from + step - 1 + (LISTS - 1) * step;
      if (plans.length < step) continue;
      const isFar = BEYOND.every((value) => {
        const lists = listsOf(value);
        const plan = plans[(value - from) % step]!;
        return lists !== null && isPredicted(lists, value, step, plan, listsOf);
      });
      return isFar ? { from, step, last, beyond: BEYOND, plans } : null;
    }
  return null;
}

/** Whether the lists of a value are those of its plan. */
function isPredicted(
  lists: Lists,
  value: number,
  step: number,
  { first, plan }: PeriodicPlan,
  listsOf: (value: number) => Lists | null,
): boolean {
  const once = listsOf(first + step);
  return plan.roles.every(({ repeated }, warp) => {
    const times = (value - first) / step;
    return isRepeated(lists[warp] ?? [], once?.[warp] ?? [], repeated!, times);
  });
}

function planOf(
  first: number,
  step: number,
  listsOf: (value: number) => Lists | null,
  sized: (value: number) => Sized | null,
): PeriodicPlan | null {
  const all: Lists[] = [];
  for (let times = 0; times < LISTS; times++) {
    const lists = listsOf(first + times * step);
    if (lists === null) return null;
    all.push(lists);
    // Most wrong steps show in the first two lists.
    if (times > 0 && repetitions(all) === null) return null;
  }
  const found = repetitions(all);
  const once = sized(first + step);
  // Where no list grows, the number may be too small to matter.
  if (found === null || once === null || found.every(({ length }) => length === 0)) return null;
  if (once.plan.cells.length > 0) return null;
  const roles = once.plan.roles.map((role, index) => ({
    ...role,
    actions: role.actions.map(withoutClasses),
    repeated: found[index]!,
  }));
  return { first, plan: { ...once.plan, roles }, run: once.run };
}

/** By warp; `null` where the lists of one differ otherwise. */
function repetitions(all: readonly Lists[]): Repetition[] | null {
  const found = all[0]!.map((_, warp) => repetitionOf(all.map((lists) => lists[warp] ?? [])));
  return found.every((one) => one !== null) ? found : null;
}

/** Stores that were of equal values in one round are not known to be so across rounds. */
function withoutClasses(action: Action): Action {
  if (!('writes' in action)) return action;
  return { ...action, reads: plain(action.reads), writes: plain(action.writes) };
}

function plain(uses: Uses): Uses {
  const { writer } = uses;
  if (writer === null || writer.isOrdered) return uses;
  return { ...uses, writer: { ...writer, classes: new Map() } };
}
