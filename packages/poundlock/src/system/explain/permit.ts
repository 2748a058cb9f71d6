// Explains a CTA that ends with the right to allocate still its own.
import { OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';

export function explainPermit(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const pool = names.pool(symptom.at);
  const did = (kind: OpKind): number =>
    schedule.made.findLastIndex(
      ({ instruction }) => instruction?.kind === kind && instruction.target === symptom.at,
    );
  draft.message = `the kernel ends, and nobody has given up allocating from ${pool}`;
  const took = did(OpKind.alloc);
  const { agent } = schedule.made[took]!;
  const who = names.agent(agent);
  draft.primary(schedule.position(took), `${who} allocates from ${pool} here`, agent);
  const freed = did(OpKind.free);
  if (freed >= 0) {
    const text = `${names.agent(schedule.made[freed]!.agent)} frees it here`;
    draft.label(schedule.position(freed), text, schedule.made[freed]!.agent);
  }
  draft.notes.push('until then no other CTA on this SM can allocate: it stalls');
  draft.helps.push(`${who} calls relinquish(${pool}) once it has allocated all it needs`);
}
