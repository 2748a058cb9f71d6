// Explains registers: who has them, who waits for them, and what is left.
import { OpKind } from '../../op/index.ts';
import { formatNumber, list, plural } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { future } from './future.ts';
import { placeOf, type Need } from './needs.ts';

/** Who has how many registers, a sentence for each number that roles of a CTA have. */
function holdersOf({ system, schedule, names }: Scene, cta: number): string[] {
  const own = system.program.roles.flatMap(({ cta: at, lanes }, role) => {
    if (at !== cta) return [];
    return [{ role, lanes, held: system.machine.registers.held(schedule.words, role) }];
  });
  const groups = [...Map.groupBy(own, ({ held, lanes }) => `${held} ${lanes}`).values()];
  return groups.map((group) => {
    const { held, lanes } = group[0]!;
    const who = list(group.map(({ role }) => names.agent(role)));
    const [have, apiece] = group.length === 1 ? ['has', ''] : ['have', ' apiece'];
    const each = `${held} in each of ${plural(lanes, 'thread')}`;
    return `${who} ${have} ${formatNumber(held * lanes)} registers${apiece}: ${each}`;
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
  const [wants, has] = [plural(wanted, 'register'), formatNumber(free)];
  const lack = `${who} waits for ${wants}, of which ${has} are free`;
  draft.primary(placeOf(scene, step), `${who} waits for ${units} in each thread here`, role);
  draft.notes.push(...holdersOf(scene, cta));
  const giver = giverOf(scene, cta, role);
  if (giver !== null) {
    const by = names.agent(giver.role);
    draft.message = `${lack}, and ${by}, which would give some back, waits itself`;
    draft.label(placeOf(scene, giver.step), `${by} would give registers back here`, giver.role);
    draft.helps.push(`let ${by} give its registers back before it waits`);
    return;
  }
  draft.message = `${lack}, and no role will give any back`;
  const { perThread, threads: all } = system.program.declarations.registers!;
  draft.helps.push(
    `the registers of all roles together must be at most ${perThread} × ${all} = ` +
      `${formatNumber(perThread * all)}`,
  );
}

/** Another role of the CTA that would still give registers back, and where. */
function giverOf({ system, schedule }: Scene, cta: number, taker: number) {
  for (const [role, { cta: own }] of system.program.roles.entries()) {
    if (own !== cta || role === taker) continue;
    for (const { step, instruction } of future(system, schedule.words, role)) {
      if (instruction.kind === OpKind.giveRegisters) return { role, step };
    }
  }
  return null;
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
