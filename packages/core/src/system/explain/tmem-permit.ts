// Explains a CTA that ends with the right to allocate still its own, or with memory.
import { OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';

export function explainPermit(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const pool = names.pool(symptom.at);
  const did = (kind: OpKind): number =>
    schedule.made.findLastIndex(
      ({ instruction }) => instruction?.kind === kind && instruction.target === symptom.at,
    );
  const isGivenUp = did(OpKind.relinquish) >= 0;
  const kept = isGivenUp ? 'freed all of' : 'given up allocating from';
  draft.message = `the kernel ends, and nobody has ${kept} ${pool}`;
  const took = did(OpKind.alloc);
  const { agent } = schedule.made[took]!;
  const who = names.agent(agent);
  draft.primary(schedule.position(took), `${who} allocates from ${pool} here`, agent);
  const freed = did(OpKind.free);
  if (freed >= 0) {
    const text = `${names.agent(schedule.made[freed]!.agent)} frees it here`;
    draft.label(schedule.position(freed), text, schedule.made[freed]!.agent);
  }
  if (isGivenUp) {
    draft.notes.push('what is allocated as a CTA ends is lost to the others on its SM');
    draft.helps.push(`${who} frees everything that it has allocated from ${pool}`);
    return;
  }
  draft.notes.push('until then no other CTA on this SM can allocate: it stalls');
  draft.helps.push(`${who} calls relinquish(${pool}) once it has allocated all it needs`);
}
