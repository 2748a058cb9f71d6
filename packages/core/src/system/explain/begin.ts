// Explains an operation that reaches a CTA which may not have begun.
import type { Draft, Scene } from './draft.ts';
import { wordsOf } from './words.ts';

export function explainBegin(scene: Scene, draft: Draft): void {
  const { names, schedule, symptom } = scene;
  const last = schedule.records.length - 1;
  const { agent } = schedule.records[last]!;
  const who = names.agent(agent);
  const other = `CTA ${symptom.at}`;
  draft.message = `${who} reaches into ${other}, and nothing lets it wait until ${other} begins`;
  draft.primary(schedule.position(last), `${who} reaches CTA ${symptom.at} here`, agent);
  draft.helps.push(
    `let the CTAs of the cluster meet before it: ${wordsOf(scene.system).meetCluster}`,
  );
}
