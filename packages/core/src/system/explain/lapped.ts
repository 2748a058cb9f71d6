// Explains a wait whose phase completed, and the next one too, before its role came to it.
import { OpKind } from '../../op/index.ts';
import { list } from '../names.ts';
import type { Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import type { Need } from './needs.ts';

/**
 * A role waits for one phase after the other by their parity, and two have completed since its last
 * wait: the parity that it tests is that of the phase after them. Null where that is not so.
 */
export function lappedText(scene: Scene, need: Need): string | null {
  const { names } = scene;
  const { kind, target } = need.instruction;
  const wanted = kind === OpKind.waitParity ? wantedPhase(scene, need) : -1;
  if (wanted < 0 || need.phase - wanted < 2 || (need.phase - wanted) % 2 !== 0) return null;
  const [who, name] = [names.agent(need.role), names.barrier(target)];
  const by = list(completers(scene, need, wanted + 1).map((role) => names.agent(role)));
  return (
    `phases ${wanted} and ${wanted + 1} of ${name} complete before ${who} comes to its wait for ` +
    `phase ${wanted}: its parity is then that of phase ${need.phase}, and it blocks` +
    (by === '' ? '' : `; nothing lets ${by} wait for ${who}`)
  );
}

/** The phase that comes next for a role that waits for one after the other, or −1. */
function wantedPhase({ schedule: { records } }: Scene, { role, instruction }: Need): number {
  const waits = records.flatMap((record, at) => {
    const { kind, target } = record.instruction ?? {};
    const isSame = record.agent === role && kind === OpKind.waitParity;
    return isSame && target === instruction.target ? [at] : [];
  });
  const parities = [...waits.map((at) => records[at]!.instruction!.parity), instruction.parity];
  if (parities.some((each, index) => index > 0 && each === parities[index - 1])) return -1;
  if (parities[0] === 0) return waits.length;
  // On a fresh barrier a wait for parity 1 is for the phase before the first.
  const isFresh = !records.slice(0, waits[0] ?? 0).some(({ completed }) => {
    return completed.some(({ barrier }) => barrier === instruction.target);
  });
  return isFresh ? waits.length - 1 : -1;
}

/** The other roles that bring what completes a phase. */
function completers({ schedule }: Scene, need: Need, phase: number): number[] {
  const { records } = schedule;
  const { target } = need.instruction;
  const end = records.findIndex(({ completed }) => {
    return completed.some((one) => one.barrier === target && one.phase === phase);
  });
  if (end < 0) return [];
  const roles = [...movesInPhase(schedule, target, end), end].map((at) => {
    const { agent, flight } = records[at]!;
    return flight?.role ?? agent;
  });
  return [...new Set(roles)].filter((role) => role !== need.role);
}
