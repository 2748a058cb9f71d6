// Explains a barrier that is in the middle of a phase at the end.
import { E, P, T } from '../../machine/index.ts';
import { formatNumber, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';

export function explainQuiescence(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const arrived = schedule.words[at + E]! - schedule.words[at + P]!;
  const bytes = schedule.words[at + T]!;
  const parts = [
    arrived > 0 ? `${plural(arrived, 'arrival')} made` : '',
    bytes !== 0 ? `${formatNumber(bytes)} B missing` : '',
  ].filter(Boolean);
  draft.message = `the kernel ends while ${name} is in the middle of a phase: ${parts.join(', ')}`;
  const last = schedule.records.findLastIndex((record) => record.reached.includes(symptom.at));
  if (last < 0) return;
  const { agent } = schedule.records[last]!;
  draft.primary(
    schedule.position(last),
    `${names.agent(agent)} performed the last operation on it here`,
    agent,
  );
}
