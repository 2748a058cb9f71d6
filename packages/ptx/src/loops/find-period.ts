// A number of a launch with which the loops of the warps run more often: after how much of it the
// steps of all warps repeat.
import type { Periods } from '@poundlock/core/internal/program';
import type { Action, Plan, Uses } from '../lower/plan.ts';
import type { ExecutedRun, ReferenceRun } from '../steps/run.ts';
import { actionKey } from './action-key.ts';
import { guessLoops, loopsOf, provePeriod } from './prove-period.ts';
import type { Trace, Unproved } from './prove-period.ts';
import { isRepeated, repetitionOf, type Repetition } from './repetition.ts';

/** The plan of one value, and its run. */
export interface Sized {
  readonly plan: Plan;
  readonly run: ReferenceRun & Partial<Pick<ExecutedRun, 'decisions'>>;
}

/** How a kernel is executed for one value. */
export interface Executions {
  /** `null` where the run stands for no launch. */
  readonly sized: (value: number) => Sized | null;
  /** The same, followed by an observer. */
  readonly trace: Trace;
  /** Where the value lies in the parameters of the launch; `null` where that is not known. */
  readonly offset: number | null;
}

/** What each warp does, as texts. */
type Lists = readonly (readonly string[])[];

/** A plan for `first + step · periods`, whatever the number of periods. */
export interface PeriodicPlan extends Sized {
  readonly first: number;
}

/** Plans for all values from one on: one for each rest of the division by the period. */
export interface PeriodicPlans extends Omit<Periods, 'kernels' | 'unproved'> {
  readonly plans: readonly PeriodicPlan[];
  /** Why it is seen and not proved; `null` where it is proved. */
  readonly unproved: Unproved | null;
}

/** Values from which a period is looked for: pipelines are full with so many rounds. */
const STARTS = [4, 12] as const;
/** Periods that are looked for, divisors before their multiples. */
const STEPS = [1, 2, 4, 8, 3, 6, 12, 5, 10, 7, 14, 16, 9, 11, 13, 15] as const;
/** A wrong period shows in a list that is longer by one of these. */
const LONGER = [16, 12, 10, 14] as const;
/** How many lists must repeat the same part. */
const LISTS = 4;
/** Values that a period must hold for as well. */
const BEYOND = [64, 133] as const;

/** Finds plans for all values, from those of single ones; `null` where none repeat. */
export function findPeriods(executions: Executions, isOver: () => boolean): PeriodicPlans | null {
  const { sized } = executions;
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
    for (const step of STEPS) {
      if (isOver()) return null;
      if (!areAlike(from, step, listsOf)) continue;
      const proof = proved(from, step, executions);
      if (!('why' in proof)) return proof;
      const seen = seenPeriods(from, step, listsOf, sized);
      if (seen !== null) return { ...seen, unproved: proof };
    }
  return null;
}

const NO_PLACE = 'it is no number of the launch that has a place of its own in its parameters';

/** Whether a period is worth a closer look: a few lists repeat themselves. */
function areAlike(first: number, step: number, listsOf: (value: number) => Lists | null): boolean {
  const none = listsOf(first);
  const once = none === null ? null : listsOf(first + step);
  const found = none === null || once === null ? null : repetitions([none, once]);
  if (found === null) return false;
  const more = LONGER.find((each) => each > step && each % step === 0) ?? 2 * step;
  const longer = listsOf(first + more);
  if (longer === null) return true;
  return found.every((part, warp) => {
    return isRepeated(longer[warp] ?? [], once![warp] ?? [], part, more / step);
  });
}

/** How many elements a round of a loop may take. */
const BLOCKS = [16, 32, 64, 128, 256, 512] as const;

/**
 * A plan for every so many values from one on, as of a number of elements that loops take in
 * blocks; `null` where none is proved.
 */
export function findBlocks(
  value: number,
  executions: Executions,
  isOver: () => boolean,
): PeriodicPlans | null {
  if (executions.sized(value) === null) return null;
  for (const step of BLOCKS) {
    if (isOver() || executions.sized(value + step) === null) return null;
    const proof = proved(value, step, executions, value);
    if (!('why' in proof)) return { ...proof, isOneRest: true };
  }
  return null;
}

/** Plans whose periods are proved for all numbers up to one, or of their first rest alone. */
function proved(
  from: number,
  step: number,
  { sized, trace, offset }: Executions,
  last = from + step - 1,
): PeriodicPlans | Unproved {
  if (offset === null) return { why: NO_PLACE, at: -1 };
  const plans: PeriodicPlan[] = [];
  const longer = sized(from + step)!;
  const loops = loopsOf(sized(from)!, longer);
  if (loops === null) return { why: NO_LOOPS, at: -1 };
  if (loops.every((loop) => loop === null)) return { why: NO_GROWTH, at: -1 };
  let most = Infinity;
  // What is found for one rest of the division is mostly so for the others.
  const unknowns = { registers: loops.map(() => new Set<number>()), loads: new Set<number>() };
  for (let first = from; first <= last; first++) {
    const none = sized(first);
    if (none === null) return { why: NO_LOOPS, at: -1 };
    const candidate = { first, step, offset, none, trace, unknowns };
    const guess = first === from ? loops : guessLoops(none, longer, loops);
    let proof = provePeriod(candidate, guess);
    if ('why' in proof && first > from) {
      const once = sized(first + step);
      const own = once === null ? null : loopsOf(none, once);
      if (own !== null) proof = provePeriod(candidate, own);
    }
    if ('why' in proof) return proof;
    most = Math.min(most, proof.most);
    plans.push(planWith(first, proof.once, proof.repeated));
  }
  return { from, step, last, beyond: [], plans, most, unproved: null, isOneRest: false };
}

const NO_LOOPS = 'the steps of a warp do not repeat themselves';
const NO_GROWTH = 'nothing that a warp does grows with it';

/** Plans whose periods are seen at many numbers, and not proved. */
function seenPeriods(
  from: number,
  step: number,
  listsOf: (value: number) => Lists | null,
  sized: (value: number) => Sized | null,
): Omit<PeriodicPlans, 'unproved'> | null {
  const plans: PeriodicPlan[] = [];
  for (let first = from; first < from + step; first++) {
    const plan = planOf(first, step, listsOf, sized);
    if (plan === null) return null;
    plans.push(plan);
  }
  const last = from + step - 1 + (LISTS - 1) * step;
  const isFar = BEYOND.every((value) => {
    const lists = listsOf(value);
    const plan = plans[(value - from) % step]!;
    return lists !== null && isPredicted(lists, value, step, plan, listsOf);
  });
  return isFar ? { from, step, last, beyond: BEYOND, plans, most: null, isOneRest: false } : null;
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
  return planWith(first, once, found);
}

/** The plan of one round with the parts of its roles that repeat themselves. */
function planWith(first: number, { plan, run }: Sized, found: readonly Repetition[]): PeriodicPlan {
  const roles = plan.roles.map((role, index) => ({
    ...role,
    actions: role.actions.map(withoutClasses),
    repeated: found[index]!,
  }));
  plan.divide({ areStoresCompared: false });
  return { first, plan: { ...plan, roles }, run };
}

/** By warp; `null` where the lists of one differ otherwise. */
function repetitions(all: readonly Lists[]): Repetition[] | null {
  if (all.some((lists) => lists.length !== all[0]!.length)) return null;
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
