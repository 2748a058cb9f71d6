// Explains a deadlock: who waits, for what, who owes it, and where that would be made.
import { Side } from '../../op/index.ts';
import { formatNumber, list, plural } from '../names.ts';
import { OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { needs, needText, placeOf, type Debt, type Need } from './needs.ts';

export function explainDeadlock(scene: Scene, draft: Draft): void {
  const stuck = needs(scene.system, scene.schedule.words);
  if (stuck.length === 0) return explainLivelock(scene, draft);
  // Who waits for something that nobody brings is the cause; the others wait for those.
  const hopeless = stuck.filter((need) => need.barrier >= 0 && !canBeMet(need));
  const ordered = [...hopeless, ...stuck.filter((need) => !hopeless.includes(need))];
  draft.message = message(scene, stuck, hopeless);
  for (const need of ordered) {
    draft.primary(placeOf(scene, need.step), needText(scene, need), need.role);
  }
  for (const need of ordered) labelDebts(scene, draft, need, stuck);
  for (const need of ordered) noteHeld(scene, draft, need);
  noteBytes(scene, draft, ordered);
}

function canBeMet(need: Need): boolean {
  const brought = (what: 'arrival' | 'bytes'): boolean =>
    need.debts.some((debt) => debt.what === what);
  return (need.pending <= 0 || brought('arrival')) && (need.bytes <= 0 || brought('bytes'));
}

function message(scene: Scene, stuck: readonly Need[], hopeless: readonly Need[]): string {
  const { names, system, schedule } = scene;
  const name = (need: Need): string => names.agent(need.role);
  const [first] = hopeless;
  if (first !== undefined) {
    const ended = system.program.roles.filter((_, role) => system.hasEnded(schedule.words, role));
    const have = ended.length === 1 ? 'has' : 'have';
    const others =
      ended.length === 0 ? '' : `, and ${list(ended.map(({ name: who }) => who))} ${have} ended`;
    const barrier = names.barrier(first.barrier);
    return `${name(first)} waits for ${barrier}, which nobody can complete any more${others}`;
  }
  if (stuck.length === 1) return `${name(stuck[0]!)} waits for something that never comes`;
  const all = list(stuck.map(name));
  return `${all} wait for ${stuck.length === 2 ? 'each other' : 'one another'}`;
}

/** Labels the operation that would help, where its role stands before it. */
function labelDebts(scene: Scene, draft: Draft, need: Need, stuck: readonly Need[]): void {
  const { names } = scene;
  const byPlace = new Map<string, Debt[]>();
  for (const debt of need.debts) {
    const key = `${debt.role} ${JSON.stringify(placeOf(scene, debt.step))}`;
    byPlace.set(key, [...(byPlace.get(key) ?? []), debt]);
  }
  for (const [debt, other] of byPlace.values()) {
    const waits = stuck.some((one) => one.role === debt!.role);
    const what =
      other !== undefined
        ? 'the arrival and the copy'
        : debt!.what === 'arrival'
          ? 'the arrival'
          : 'the copy';
    const own = debt!.role === need.role ? ' itself' : '';
    const are = other === undefined ? 'is' : 'are';
    const after = waits ? ', after that wait' : '';
    const text = `${what} ${names.agent(need.role)}${own} needs ${are} made here${after}`;
    draft.label(placeOf(scene, debt!.step), text, debt!.role);
  }
}

/** Notes the stages that a waiting role holds, and helps where the ring has no other. */
function noteHeld(scene: Scene, draft: Draft, need: Need): void {
  const { system, names } = scene;
  const owned = system.steps.owned(need.step);
  const { kind, target, value } = need.instruction;
  for (const ring of new Set(owned.map(({ handle }) => handle.ring))) {
    const held = owned.filter(({ handle }) => handle.ring === ring);
    const { name, stages } = system.program.declarations.rings[ring]!;
    const numbers = list(held.map(({ handle }) => String(handle.index)));
    const noun = held.length === 1 ? 'stage' : 'stages';
    const all = held.length >= stages ? `, and the ring has only ${plural(stages, 'stage')}` : '';
    draft.notes.push(
      `${names.agent(need.role)} holds ${noun} ${numbers} of ${name} while it waits${all}`,
    );
    const sameRing = kind === OpKind.waitStage && target === ring && value === Side.consume;
    const keeps = held.filter(({ handle }) => handle.side === Side.consume).length;
    if (sameRing && keeps >= stages) {
      draft.helps.push(
        `a consumer that keeps ${plural(keeps, 'tile')} needs ` +
          `at least ${plural(keeps + 1, 'stage')}`,
      );
    }
  }
}

/** Bytes that are expected and never copied are the cause, not a party. */
function noteBytes(scene: Scene, draft: Draft, ordered: readonly Need[]): void {
  for (const need of ordered) {
    if (need.bytes <= 0 || need.debts.some((debt) => debt.what === 'bytes')) continue;
    const name = scene.names.barrier(need.barrier);
    draft.notes.push(
      `${name} expects more bytes in phase ${need.phase} than are copied: ` +
        `${formatNumber(need.bytes)} B are never sent`,
    );
  }
}

function explainLivelock(scene: Scene, draft: Draft): void {
  const { system, names, schedule } = scene;
  const going = system.program.roles.flatMap((_, role) =>
    system.hasEnded(schedule.words, role) ? [] : [role],
  );
  const who = list(going.map((role) => names.agent(role)));
  draft.message = `${who} can go on for ever, but from here the kernel can never end`;
  for (const role of going) {
    const step = schedule.words[role]!;
    draft.primary(placeOf(scene, step), `${names.agent(role)} stands here`, role);
  }
  draft.notes.push('a try that always fails keeps a role busy without helping anybody');
}
