// Explains a phase that misses more bytes than an mbarrier can count, or has received too many.
import { K, MAX_PENDING, T } from '../../machine/index.ts';
import { formatNumber } from '../names.ts';
import { broughtBy } from './brings.ts';
import type { Draft, Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { primaryIsLast } from './primary.ts';

export function explainTxRange(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const at = system.machine.barrierAt(symptom.at);
  const [phase, bytes] = [schedule.words[at + K]!, schedule.words[at + T]!];
  const most = formatNumber(MAX_PENDING);
  const shown = formatNumber(Math.abs(bytes));
  const last = schedule.records.length - 1;
  primaryIsLast(scene, draft);
  draft.message =
    bytes > 0
      ? `phase ${phase} of ${name} misses ${shown} B, and an mbarrier counts ${most} B at most`
      : `phase ${phase} of ${name} receives ${shown} B before they are expected, ` +
        `and an mbarrier counts ${most} B at most`;
  draft.notes.push('the transaction count of an mbarrier has 21 bits, of which one is the sign');
  draft.helps.push(
    bytes > 0
      ? 'expect fewer bytes in one phase: use smaller tiles, or a barrier for each part'
      : 'expect the bytes before the copies are issued, or complete fewer bytes in one phase',
  );
  for (const index of movesInPhase(schedule, symptom.at, last)) {
    const { instruction, agent } = schedule.records[index]!;
    const expected = instruction === null ? 0 : broughtBy(instruction).expected;
    if (expected === 0) continue;
    const text = `${names.agent(agent)} expects ${formatNumber(expected)} B here`;
    draft.label(schedule.position(index), text, agent);
  }
}
