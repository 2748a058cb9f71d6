// Explains a CTA that ends with its permit to allocate TMEM, or with allocated TMEM.
import { OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';

export function explainPermit(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const pool = names.pool(symptom.at);
  const did = (kind: OpKind): number =>
    schedule.records.findLastIndex(
      ({ instruction }) => instruction?.kind === kind && instruction.target === symptom.at,
    );
  const isRelinquished = did(OpKind.relinquish) >= 0;
  draft.message = isRelinquished
    ? `the kernel ends before all allocations from ${pool} are freed`
    : `the kernel ends without relinquishing the permit to allocate from ${pool}`;
  const took = did(OpKind.alloc);
  const { agent } = schedule.records[took]!;
  const who = names.agent(agent);
  draft.primary(schedule.position(took), `${who} allocates from ${pool} here`, agent);
  const freed = did(OpKind.free);
  if (freed >= 0) {
    const text = `${names.agent(schedule.records[freed]!.agent)} frees it here`;
    draft.label(schedule.position(freed), text, schedule.records[freed]!.agent);
  }
  if (isRelinquished) {
    draft.notes.push(
      'memory that is still allocated when a CTA ends is lost to the other CTAs on its SM',
    );
    draft.helps.push(`let ${who} free everything that it has allocated from ${pool}`);
    return;
  }
  draft.notes.push('until the permit is relinquished, allocations of other CTAs on this SM stall');
  draft.helps.push(`let ${who} call relinquish(${pool}) after its last allocation`);
}
