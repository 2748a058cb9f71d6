// Arrivals in the text of a role that the role has gone past: where they are, and what decided so.
import { formatPosition, type Position } from '../../base/index.ts';
import type { SkippedArrival } from '../../program/index.ts';
import { list, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { comeAround } from './exhausted.ts';
import type { Need } from './needs.ts';
import { protocolOf } from './protocol.ts';

/** The most arrivals of one finding that are shown. */
const MAX_SHOWN = 4;

/** An arrival that some roles have gone past. */
interface Skipped extends SkippedArrival {
  readonly roles: number[];
  /** The barriers that are waited for. */
  readonly barriers: Set<number>;
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
        known.barriers.add(need.barrier);
        if (!known.roles.includes(role)) known.roles.push(role);
      }
    }
  }
  const all = [...found.values()];
  const decided = all.filter(({ isLoopEnd }) => !isLoopEnd);
  return (decided.length > 0 ? decided : all).slice(0, MAX_SHOWN);
}

/**
 * Roles that go past arrivals which another one waits for. Of those that share their text, the ones
 * are meant that wait for what that role provides, or arrive on the barrier. The others may have
 * another part of the text for theirs: they are meant if none of those is still to come.
 */
function skipping(scene: Scene, need: Need): number[] {
  const { system } = scene;
  if (need.barrier < 0 || need.pending <= 0) return [];
  const all = system.program.roles.flatMap((_, role) => {
    return role !== need.role && skippedBy(scene, need, role).length > 0 ? [role] : [];
  });
  const { barriers } = protocolOf(system);
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
function skippedBy(scene: Scene, { barrier, debts }: Need, role: number): SkippedArrival[] {
  const all = scene.arrivals?.skipped(role, barrier) ?? [];
  const isOwing = debts.some((debt) => debt.role === role && debt.what === 'arrival');
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
  const names = list([...barriers].map((one) => scene.names.barrier(one)));
  if (draft.helps.length === 0) draft.helps.push(skipHelp(names));
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
  { arrivals }: Pick<Scene, 'arrivals'>,
  roles: readonly number[],
  barrier: number,
): boolean {
  const isSkipped = (role: number): boolean =>
    arrivals?.skipped(role, barrier).some(({ isLoopEnd, threads }) => {
      return !isLoopEnd && threads === undefined;
    }) === true;
  return roles.every(isSkipped);
}

/** What roles that bring nothing to a barrier do instead: `never arrive on empty[0]`. */
export function absenceText(
  scene: Pick<Scene, 'arrivals'>,
  roles: readonly number[],
  barrier: number,
  on = 'it',
): string {
  const isNever = roles.every((role) => scene.arrivals?.has(role, barrier) === false);
  const absence = areSkipped(scene, roles, barrier) ? 'skipped' : isNever ? 'never' : 'unknown';
  return `${ABSENCES[absence][roles.length === 1 ? 0 : 1]} on ${on}`;
}
