// Explains registers: who has them, who waits for them, and what is left.
import type { Draft, Scene } from './draft.ts';
import { formatNumber, plural } from '../names.ts';
import { placeOf, type Need } from './needs.ts';

/** Who has how many registers, a sentence for each role of a CTA. */
export function holdersOf({ system, schedule, names }: Scene, cta: number): string[] {
  const { roles } = system.program;
  return roles.flatMap((role, index) => {
    if (role.cta !== cta) return [];
    const held = system.machine.registers.held(schedule.words, index);
    const each = `${held} in each of ${plural(role.lanes, 'thread')}`;
    return [`${names.agent(index)} has ${formatNumber(held * role.lanes)} registers: ${each}`];
  });
}

/** A role waits for registers that the others keep: the lack, and who has them. */
export function explainRegisterDeadlock(scene: Scene, draft: Draft, need: Need): void {
  const { system, schedule, names } = scene;
  const { role, instruction, step } = need;
  const { registers } = system.machine;
  const { cta, units, threads } = instruction;
  const wanted = (units - registers.held(schedule.words, role)) * threads;
  const free = registers.free(schedule.words, cta);
  const who = names.agent(role);
  draft.rule = 'register-deadlock';
  draft.message =
    `${who} waits for ${plural(wanted, 'register')}, of which ${formatNumber(free)} are free, ` +
    'and no role that can still move gives any back';
  draft.primary(placeOf(scene, step), `${who} waits for ${units} in each thread here`, role);
  draft.notes.push(...holdersOf(scene, cta));
  const { perThread, threads: all } = system.program.declarations.registers!;
  draft.helps.push(
    `the registers of all roles together must be at most ${perThread} × ${all} = ` +
      `${formatNumber(perThread * all)}`,
  );
}

export function explainUnusedRegisters(scene: Scene, draft: Draft): void {
  const { system, schedule, symptom, names } = scene;
  const free = system.machine.registers.free(schedule.words, symptom.at);
  const { perThread, threads } = system.program.declarations.registers!;
  const all = perThread * threads;
  const where = system.program.ctas === 1 ? '' : ` of CTA ${symptom.at}`;
  draft.message =
    `the roles${where} hold ${formatNumber(all - free)} of ${formatNumber(all)} registers after ` +
    'all changes: the rest is in no thread';
  const last = schedule.records.findLastIndex(({ instruction }) => (instruction?.units ?? 0) > 0);
  if (last >= 0) {
    const { agent } = schedule.records[last]!;
    draft.primary(
      schedule.position(last),
      `${names.agent(agent)} changes its registers here`,
      agent,
    );
  }
  draft.notes.push(...holdersOf(scene, symptom.at));
}
