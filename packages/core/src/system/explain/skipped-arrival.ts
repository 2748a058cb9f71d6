// Arrivals in the text of a role that the role has gone past: where they are, and what decided so.
import { formatPosition, type Position } from '../../base/index.ts';
import type { SkippedArrival } from '../../program/index.ts';
import { list } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import type { Need } from './needs.ts';

/** The most arrivals of one finding that are shown. */
const MAX_SHOWN = 4;

/** An arrival that some roles have gone past. */
interface Skipped extends SkippedArrival {
  readonly roles: number[];
}

/** What roles have gone past of the arrivals that others wait for, each once. */
function skippedFor(scene: Scene, needs: readonly Need[]): Skipped[] {
  const found = new Map<string, Skipped>();
  for (const need of needs) {
    if (need.barrier < 0 || need.pending <= 0) continue;
    for (let role = 0; role < scene.system.roles; role++) {
      for (const one of skippedBy(scene, need, role)) {
        const key = [one.arrival, ...one.branches].map(formatPosition).join(' ');
        const known = found.get(key) ?? { ...one, roles: [] };
        found.set(key, known);
        if (!known.roles.includes(role)) known.roles.push(role);
      }
    }
  }
  const all = [...found.values()];
  const decided = all.filter(({ isLoopEnd }) => !isLoopEnd);
  return (decided.length > 0 ? decided : all).slice(0, MAX_SHOWN);
}

/** Of a role that will arrive, the end of a loop says nothing: it begins the loop again. */
function skippedBy(scene: Scene, { barrier, debts }: Need, role: number): SkippedArrival[] {
  const all = scene.arrivals?.skipped(role, barrier) ?? [];
  const isOwing = debts.some((debt) => debt.role === role && debt.what === 'arrival');
  return all.filter(({ isLoopEnd }) => !isLoopEnd || !isOwing);
}

/** Labels them; returns what a message says of them where it says nothing of arrivals. */
export function labelSkipped(scene: Scene, draft: Draft, needs: readonly Need[]): string {
  const parts = new Set<string>();
  for (const one of skippedFor(scene, needs)) {
    const { roles, arrival, branches, isLoopEnd, isSure } = one;
    const who = list(roles.map((role) => scene.names.agent(role)));
    const [skip, leave] = roles.length === 1 ? ['skips', 'leaves'] : ['skip', 'leave'];
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
  return parts.size === 0 ? '' : `; ${list([...parts])}`;
}

/** `line 35`, with its file where that is another one than that of `from`. */
function lineText({ file, line }: Position, from: Position): string {
  return file === from.file ? `line ${line}` : `${file.replace(/^.*[\\/]/, '')}:${line}`;
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
    arrivals?.skipped(role, barrier).some(({ isLoopEnd }) => !isLoopEnd) === true;
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
