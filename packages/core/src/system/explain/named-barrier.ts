// Explains a named or cluster barrier that can not complete: wrong thread counts, or ended roles.
import { CATALOGUE, OpKind } from '../../op/index.ts';
import { formatNumber, list, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { lastMoveOf } from './history.ts';
import { placeOf } from './needs.ts';
import { primaryIsLast } from './primary.ts';
import { wordsOf } from './words.ts';

export function explainNamedBarrier(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const barrier = names.namedBarrier(symptom.at);
  const { lanes, threads } = schedule.records.at(-1)!.instruction!;
  const brings = (role: string, own: number, all: number): string =>
    `${role} arrives here with ${plural(own, 'thread')} and expects ${formatNumber(all)} in total`;
  const who = primaryIsLast(scene, draft, (role) => brings(role, lanes, threads));
  const earlier = schedule.records.filter(({ instruction }, at) => {
    if (instruction === null || at === schedule.records.length - 1) return false;
    const { kind, target } = instruction;
    return CATALOGUE[kind]!.names === 'named' && target === symptom.at;
  });
  const other = earlier.findLast(({ instruction }) => instruction!.threads !== threads);
  draft.message =
    other === undefined
      ? excess(scene, who, barrier)
      : `${who} expects ${plural(threads, 'thread')} at ${barrier}, ` +
        `and ${names.agent(other.agent)} expects ${formatNumber(other.instruction!.threads)}`;
  for (const one of other === undefined ? earlier : [other]) {
    const { lanes: own, threads: all } = one.instruction!;
    const text = brings(names.agent(one.agent), own, all);
    draft.label(placeOf(scene, one.step), text, one.agent);
  }
  draft.helps.push(wordsOf(scene.system).namedCount);
}

/** More threads come than are missing: the machine has counted those of the last arrival, too. */
function excess({ symptom, schedule, system }: Scene, who: string, barrier: string): string {
  const { lanes, threads } = schedule.records.at(-1)!.instruction!;
  const before = schedule.words[system.machine.layout.named + symptom.at * 2]! - lanes;
  const missing = threads - before;
  return (
    `${who} brings ${plural(lanes, 'thread')} to ${barrier}, ` +
    (before === 0
      ? `which takes only ${formatNumber(threads)}`
      : `which lacks only ${formatNumber(missing)} of its ${formatNumber(threads)}`)
  );
}

export function explainDivergentExit(scene: Scene, draft: Draft): void {
  const { names, schedule, system } = scene;
  const roles = Array.from({ length: system.roles }, (_, role) => role);
  const ended = roles.filter((role) => system.hasEnded(schedule.words, role));
  const meets = roles.filter((role) => {
    const step = schedule.words[role]!;
    return step >= 0 && system.steps.instruction(step)?.kind === OpKind.syncCluster;
  });
  const name = (role: number): string => names.agent(role);
  const [wait, have] = [meets.length === 1 ? 'waits' : 'wait', ended.length === 1 ? 'has' : 'have'];
  draft.message =
    `${list(meets.map(name))} ${wait} at the cluster barrier for every role, ` +
    `and ${list(ended.map(name))} ${have} ended`;
  for (const role of meets) {
    const text = `${name(role)} waits here for every role of the cluster`;
    draft.primary(placeOf(scene, schedule.words[role]!), text, role);
  }
  for (const role of ended) {
    const last = lastMoveOf(schedule, role);
    if (last < 0) draft.notes.push(`${name(role)} ends without performing an operation`);
    else
      draft.label(schedule.position(last), `${name(role)} performs its last operation here`, role);
  }
  draft.helps.push('a role that has no work must still arrive at the cluster barrier');
}
