// Explains a barrier that is in the middle of a phase at the end.
import { E, P, T } from '../../machine/index.ts';
import { CATALOGUE } from '../../op/index.ts';
import { formatNumber, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';

export function explainQuiescence(scene: Scene, draft: Draft): void {
  if (scene.symptom.onNamed === true) explainUnfilled(scene, draft);
  else explainRestless(scene, draft);
}

function explainRestless(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const arrived = schedule.words[at + E]! - schedule.words[at + P]!;
  const bytes = schedule.words[at + T]!;
  const parts = [
    arrived > 0 ? `${plural(arrived, 'arrival')} made` : '',
    bytes > 0 ? `${formatNumber(bytes)} B missing` : '',
    bytes < 0 ? `${formatNumber(-bytes)} B that it did not expect` : '',
  ].filter(Boolean);
  draft.message = `the kernel ends while ${name} is in the middle of a phase: ${parts.join(', ')}`;
  labelLast(
    scene,
    draft,
    schedule.records.findLastIndex((record) => record.reached.includes(symptom.at)),
  );
}

/** Threads have arrived at a named barrier, and the others never come. */
function explainUnfilled(scene: Scene, draft: Draft): void {
  const { symptom, schedule, system } = scene;
  const at = system.machine.layout.named + symptom.at * 2;
  const [arrived, all] = [schedule.words[at]!, schedule.words[at + 1]!];
  const have = arrived === 1 ? 'has' : 'have';
  draft.message =
    `the kernel ends while ${formatNumber(arrived)} of ${plural(all, 'thread')} ${have} arrived ` +
    `at ${scene.names.namedBarrier(symptom.at)}`;
  labelLast(
    scene,
    draft,
    schedule.records.findLastIndex(({ instruction }) => {
      if (instruction === null || instruction.target !== symptom.at) return false;
      return CATALOGUE[instruction.kind]!.names === 'named';
    }),
  );
  draft.helps.push(
    'the count of a named barrier is the sum of the threads that arrive and that sync: ' +
      'a thread that finds it half full in its next use completes it too early',
  );
}

function labelLast({ schedule, names }: Scene, draft: Draft, last: number): void {
  if (last < 0) return;
  const { agent } = schedule.records[last]!;
  const text = `${names.agent(agent)} performed the last operation on it here`;
  draft.primary(schedule.position(last), text, agent);
}
