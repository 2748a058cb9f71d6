// From the steps of two rounds to what each role repeats: the lanes of a warp may be several roles.
import { allOf } from '../lanes/mask.ts';
import { bundleAt, joinsAll } from '../lanes/segments.ts';
import { areExchanging, inStrands, isLooseThroughout } from '../lanes/strands.ts';
import type { StrandMark } from '../lanes/strands.ts';
import type { Plan } from '../lower/plan.ts';
import { lowerRun } from '../lower/roles.ts';
import type { ExecutedRun, ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { Step, StepName } from '../steps/step.ts';
import { actionKey } from './action-key.ts';
import type { Sized } from './find-period.ts';
import { NotProved } from './look.ts';
import { ROUNDS } from './reach.ts';
import { isRepeated } from './repetition.ts';
import type { Repetition } from './repetition.ts';

/** Steps that depend on what other warps have done: none may be repeated. */
const SHARED: ReadonlySet<StepName> = new Set([
  'allocate',
  'free',
  'relinquish',
  'tensorMisuse',
  'registers',
  'map',
  'last',
  'signal',
  'poll',
  'lanes',
  'gridWait',
]);

function unproved(why: string): never {
  throw new NotProved(-1, why);
}

/** What each role repeats, and the plan of one round. */
export interface LoweredLoops {
  readonly repeated: readonly Repetition[];
  readonly once: Sized;
}

/** Where the list of a role repeats itself, and the ends of its first rounds. */
interface RoleLoop {
  readonly isLoop: boolean;
  readonly ends: readonly number[];
}

const NO_LOOP: RoleLoop = { isLoop: false, ends: [] };

/**
 * What each role repeats. Steps are lowered one after the other: where rounds of steps begin and
 * end in one state, they become the same actions, and so do all others.
 */
export function lowerLoops(
  run: ExecutedRun,
  ends: readonly (readonly number[])[],
  none: Plan,
): LoweredLoops {
  const { strands, loops } = strandsOf(run, ends);
  const marks = loops.map((): Mark[] => []);
  const plan = lowerRun(strands, (role, steps, actions, state) => {
    if (loops[role]?.ends.includes(steps) === true) marks[role]!.push({ actions, state: state() });
  });
  const fault = strands.faults.find(({ isOfIsa }) => isOfIsa !== true);
  if (fault !== undefined) unproved(fault.text);
  if (plan.cells.length > 0 || plan.roles.length !== loops.length) unproved(OTHERS);
  const namesOf = ({ roles }: Plan): string => roles.map(({ name }) => name).join();
  if (namesOf(plan) !== namesOf(none)) unproved('which lanes are roles of their own changes');
  const repeated: Repetition[] = [];
  for (const [index, { isLoop }] of loops.entries()) {
    const [before, twice] = [none, plan].map((one) => {
      return one.roles[index]!.actions.map((action) => actionKey(action, one));
    }) as [string[], string[]];
    const part = isLoop ? repetitionIn(marks[index]!) : { at: twice.length, length: 0 };
    const isSame =
      part !== null &&
      [before, twice].every((list, at) => isRepeated(list, onceOf(twice, part), part, at * ROUNDS));
    if (!isSame) return unproved('the actions of a warp do not repeat themselves as its steps do');
    repeated.push(part);
  }
  const roles = plan.roles.map((role, index) => {
    return { ...role, actions: onceOf(role.actions, repeated[index]!) };
  });
  return { repeated, once: { plan: { ...plan, roles }, run: strands } };
}

const OTHERS = 'warps count in words of shared memory, or follow a kernel before';

/** The run with strands as warps, and the loops of both. */
function strandsOf(
  run: ExecutedRun,
  ends: readonly (readonly number[])[],
): { readonly strands: ReferenceRun; readonly loops: readonly RoleLoop[] } {
  // What is stored may be equal in these rounds alone.
  const plain = { ...run, warps: run.warps.map(withoutValues) };
  const endsOf = new Map(plain.warps.map((warp, index) => [warp, ends[index] ?? []]));
  const loops = new Map<WarpSteps, RoleLoop>();
  const strands = inStrands(plain, {
    stepsOf: (warp) => endsOf.get(warp)!,
    follow: (strand, marks) => loops.set(strand, loopOf(marks)),
  });
  for (const [warp, own] of endsOf) {
    const isWhole = strands.warps.includes(warp);
    if (own.length === 0) continue;
    requireLocal(warp, own, isWhole);
    if (isWhole) loops.set(warp, { isLoop: true, ends: own });
  }
  return { strands, loops: strands.warps.map((warp) => loops.get(warp) ?? NO_LOOP) };
}

/** The loop of a strand; its first rounds have to end in one state. */
function loopOf(marks: readonly StrandMark[]): RoleLoop {
  const [first, second, third] = marks;
  if (first === undefined || second === undefined || third === undefined) return NO_LOOP;
  const isOneState = second.state === first.state && third.state === first.state;
  // Steps up to a join of all lanes are of one kind whether the warp comes from a round or not.
  const areOneKind = first.isNextLoose === second.isNextLoose && second.isLoose === third.isLoose;
  const length = second.steps - first.steps;
  if (!isOneState || !areOneKind || third.steps - second.steps !== length)
    return unproved('what lanes of a warp do by themselves does not repeat itself');
  return length === 0 ? NO_LOOP : { isLoop: true, ends: marks.map(({ steps }) => steps) };
}

function withoutValues(warp: WarpSteps): WarpSteps {
  const steps = warp.steps.map((step) => (step.op === 'access' ? { ...step, values: [] } : step));
  return { ...warp, steps };
}

const EXCHANGE = 'lanes of a warp touch the same bytes without a join between';

/** Fails where what is known of the lanes of a warp may not follow from few rounds. */
function requireLocal(warp: WarpSteps, ends: readonly number[], isWhole: boolean): void {
  const [from, to, last] = ends as [number, number, number];
  const round = warp.steps.slice(from, to);
  if (round.some((step) => SHARED.has(step.op))) unproved('what warps share is used in each round');
  if (areExchanging(warp)) unproved(EXCHANGE);
  if (round.some(joinsAll)) return;
  // Without a join, the same lanes do each thing, or they are roles of their own throughout.
  const isLocal = areSameLanes(round, allOf(warp.threads));
  if (!isLocal && (isWhole || !isLooseThroughout(warp, from, last)))
    unproved('lanes of a warp do not join in each round');
  const once = { ...warp, steps: [...warp.steps.slice(0, to), ...warp.steps.slice(last)] };
  if (areExchanging(once)) unproved(EXCHANGE);
}

/** Whether the same lanes execute each instruction of a round. */
function areSameLanes(round: readonly Step[], all: number): boolean {
  let lanes: number | null = null;
  for (let at = 0; at < round.length;) {
    const bundle = bundleAt(round, at, round.length, all);
    if ((lanes ??= bundle.lanes) !== bundle.lanes) return false;
    at = bundle.to;
  }
  return true;
}

/** How much of a warp's steps is lowered at the end of a round, and what the rest depends on. */
interface Mark {
  readonly actions: number;
  readonly state: string;
}

/** The actions of one round; `null` where the rounds end in different states. */
function repetitionIn([first, second, third]: readonly Mark[]): Repetition | null {
  if (first === undefined || second === undefined || third === undefined) return null;
  const isOneState = second.state === first.state && third.state === first.state;
  return isOneState ? { at: first.actions, length: second.actions - first.actions } : null;
}

/** A list of two rounds with one of them. */
function onceOf<Entry>(twice: readonly Entry[], { at, length }: Repetition): Entry[] {
  return [...twice.slice(0, at + length), ...twice.slice(at + ROUNDS * length)];
}
