// Arrivals in the text of a role that the role has gone past: where they are, and what decided so.
import { formatPosition, type Position } from '../../base/index.ts';
import { OpKind } from '../../op/index.ts';
import type { ArrivalTarget, SkippedArrival } from '../../program/index.ts';
import { list, plural } from '../names.ts';
import { providers } from './cycle.ts';
import type { Draft, Scene } from './draft.ts';
import { comeAround } from './exhausted.ts';
import type { Need } from './needs.ts';
import { protocolOf } from './protocol.ts';

/** The most arrivals of one finding that are shown. */
const MAX_SHOWN = 4;

/** An arrival that some roles have gone past. */
interface Skipped extends SkippedArrival {
  readonly roles: number[];
  /** The names of the barriers that are waited for. */
  readonly barriers: Set<string>;
}

/** What roles have gone past of the arrivals that others wait for, each once. */
function skippedFor(scene: Scene, needs: readonly Need[]): Skipped[] {
  const found = new Map<string, Skipped>();
  for (const need of needs) {
    for (const role of skipping(scene, need)) {
      for (const one of skippedBy(scene, need, role)) {
        const places = [one.arrival, ...one.branches].map(formatPosition);
        const key = [...places, one.threads].join(' ');
        const known = found.get(key) ?? { ...one, roles: [], barriers: new Set() };
        found.set(key, known);
        known.barriers.add(nameOf(scene, need));
        if (!known.roles.includes(role)) known.roles.push(role);
      }
    }
  }
  const all = [...found.values()];
  const decided = all.filter(({ isLoopEnd }) => !isLoopEnd);
  return (decided.length > 0 ? decided : all).slice(0, MAX_SHOWN);
}

/** What a role waits for arrivals at; `null`: it waits for something else. */
function targetOf(
  { system }: Scene,
  { barrier, pending, instruction }: Need,
): ArrivalTarget | null {
  const { kind, target } = instruction;
  if (barrier >= 0) return pending > 0 ? barrierTarget(system, barrier) : null;
  if (kind !== OpKind.syncNamed) return null;
  const { namedBarriers } = system.program;
  return { kind: 'named', id: target % namedBarriers, cta: Math.floor(target / namedBarriers) };
}

function barrierTarget({ program: { ctas } }: Scene['system'], barrier: number): ArrivalTarget {
  return { kind: 'barrier', id: Math.floor(barrier / ctas), cta: barrier % ctas };
}

function nameOf({ names }: Scene, { barrier, instruction }: Need): string {
  return barrier >= 0 ? names.barrier(barrier) : names.namedBarrier(instruction.target);
}

/** Roles that go past arrivals which another one waits for. */
function skipping(scene: Scene, need: Need): readonly number[] {
  const all = scene.system.program.roles.flatMap((_, role) => {
    return role !== need.role && skippedBy(scene, need, role).length > 0 ? [role] : [];
  });
  if (all.length === 0) return all;
  return need.barrier < 0 ? absentFrom(scene, need, all) : meantBy(scene, need, all);
}

/** Of some roles those that are not at a named barrier, and do not come there. */
function absentFrom({ system, schedule }: Scene, need: Need, all: readonly number[]): number[] {
  const coming = providers(system, schedule.words, need);
  const isThere = (role: number): boolean => {
    const step = schedule.words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    const { kind, target } = need.instruction;
    return instruction?.kind === kind && instruction.target === target;
  };
  return all.filter((role) => !coming.includes(role) && !isThere(role));
}

/**
 * Of roles that share their text, the ones are meant that wait for what the waiting role provides,
 * or arrive on the barrier. The others may have another part of the text for theirs: they are meant
 * if none of those is still to come.
 */
function meantBy(scene: Scene, need: Need, all: readonly number[]): readonly number[] {
  const { barriers } = protocolOf(scene.system);
  const provided = barriers.filter((uses) => {
    return uses.some((use) => use.role === need.role && use.arrivals + use.copied > 0);
  });
  const taking = provided.flat().filter(({ waits }) => waits > 0);
  const arriving = barriers[need.barrier]!.filter(({ arrivals }) => arrivals > 0);
  const own = new Set([...taking, ...arriving].map(({ role }) => role));
  const meant = all.filter((role) => own.has(role));
  const came = comeAround(scene, need);
  const isToCome = need.debts.some(({ role, what }) => what === 'arrival' && !came.has(role));
  return meant.length > 0 || isToCome ? meant : all;
}

/** Of a role that will arrive, the end of a loop says nothing: it begins the loop again. */
function skippedBy(scene: Scene, need: Need, role: number): SkippedArrival[] {
  const target = targetOf(scene, need);
  const all = target === null ? [] : (scene.arrivals?.skipped(role, target) ?? []);
  const isOwing = need.debts.some((debt) => debt.role === role && debt.what === 'arrival');
  return all.filter(({ isLoopEnd }) => !isLoopEnd || !isOwing);
}

/** Labels them, and says so where the message does not. */
export function labelSkipped(scene: Scene, draft: Draft, needs: readonly Need[]): void {
  const parts = new Set<string>();
  const all = skippedFor(scene, needs);
  for (const { roles, arrival, branches, isLoopEnd, isSure, threads } of all) {
    const who = whoText(scene, roles, threads);
    const isOne = threads === undefined ? roles.length === 1 : threads === 1;
    const [skip, leave] = isOne ? ['skips', 'leaves'] : ['skip', 'leave'];
    const verb = isLoopEnd ? `${leave} the loop with` : isSure ? skip : 'may skip';
    for (const branch of branches) {
      const text = `${who} ${verb} the arrival of ${lineText(arrival, branch)} here`;
      draft.label(branch, text, roles[0]);
    }
    const what = isLoopEnd ? `in the loop that ${who} ${leave}` : `that ${who} ${skip}`;
    draft.label(arrival, `the arrival ${what}`, roles[0]);
    const from = branches[0] ?? arrival;
    if (!isLoopEnd) parts.add(`${who} ${skip} the arrival of ${lineText(arrival, from)}`);
  }
  if (parts.size === 0) return;
  if (!/ skips? /.test(draft.message)) draft.message += `; ${list([...parts])}`;
  const barriers = new Set(all.flatMap((one) => [...one.barriers]));
  if (draft.helps.length === 0) draft.helps.push(skipHelp(list([...barriers])));
}

/** How to go on where an arrival is skipped. */
export function skipHelp(barrier: string): string {
  return `arrive on ${barrier} on each way, also on the one that skips it`;
}

function whoText({ names }: Scene, roles: readonly number[], threads?: number): string {
  const all = list(roles.map((role) => names.agent(role)));
  if (threads === undefined) return all;
  return `${plural(threads, 'thread')} of ${roles.length === 1 ? '' : 'each of '}${all}`;
}

/** `line 35`, with its file where that need not be the one that is shown. */
function lineText({ file, line, ptx }: Position, from: Position): string {
  return file === from.file && ptx === undefined
    ? `line ${line}`
    : `${file.replace(/^.*[\\/]/, '')}:${line}`;
}

/** What roles that bring nothing to a barrier do instead. */
type Absence = 'skipped' | 'never' | 'unknown';

/** As verbs, for one role and for several. */
const ABSENCES: Readonly<Record<Absence, readonly [one: string, several: string]>> = {
  skipped: ['skips its arrival', 'skip their arrivals'],
  never: ['never arrives', 'never arrive'],
  unknown: ['does not arrive', 'do not arrive'],
};

/** Whether roles have arrivals on a barrier in their text, and skip them. */
export function areSkipped(
  { arrivals, system }: Pick<Scene, 'arrivals' | 'system'>,
  roles: readonly number[],
  barrier: number,
): boolean {
  const target = barrierTarget(system, barrier);
  const isSkipped = (role: number): boolean =>
    arrivals?.skipped(role, target).some(({ isLoopEnd, threads }) => {
      return !isLoopEnd && threads === undefined;
    }) === true;
  return roles.every(isSkipped);
}

/** What roles that bring nothing to a barrier do instead: `never arrive on empty[0]`. */
export function absenceText(
  scene: Pick<Scene, 'arrivals' | 'system'>,
  roles: readonly number[],
  barrier: number,
  on = 'it',
): string {
  const target = barrierTarget(scene.system, barrier);
  const isNever = roles.every((role) => scene.arrivals?.has(role, target) === false);
  const absence = areSkipped(scene, roles, barrier) ? 'skipped' : isNever ? 'never' : 'unknown';
  return `${ABSENCES[absence][roles.length === 1 ? 0 : 1]} on ${on}`;
}
