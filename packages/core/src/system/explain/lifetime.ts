// Explains an access before the start or after the end of a lifetime: barriers, memory, CTAs.
import { FlightKind } from '../../machine/index.ts';
import { isTest, OpKind } from '../../op/index.ts';
import { list } from '../names.ts';
import type { Draft, Scene } from './draft.ts';
import { lastMoveOf, stepAhead } from './history.ts';
import { placeOf } from './needs.ts';
import { primaryIsLast } from './primary.ts';
import { wordsOf } from './words.ts';

export function explainMissingDrain(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = symptom.onBuffer === true ? names.buffer(symptom.at) : names.barrier(symptom.at);
  const who = symptom.inMove ? primaryIsLast(scene, draft) : names.agent(symptom.agent);
  if (!symptom.inMove) {
    draft.primary(placeOf(scene, symptom.step), `${who} waits for ${name} here`, symptom.agent);
  }
  const ended = schedule.records.findLastIndex(({ instruction }) => {
    const isExit = instruction?.kind === OpKind.exit;
    return isExit || (instruction?.kind === OpKind.invalidate && instruction.target === symptom.at);
  });
  const cta = symptom.at % system.program.ctas;
  // X02: where memory is checked, a copy that lands too late is work that is still open.
  const landed = symptom.inMove ? schedule.records.at(-1)!.flight : null;
  const isLate = landed?.kind === FlightKind.copy && system.program.usesMemory;
  if (isLate) draft.rule = 'exit-with-open-flight';
  const ender = ended < 0 ? -1 : schedule.records[ended]!.agent;
  if (ender >= 0 && schedule.records[ended]!.instruction!.kind === OpKind.invalidate) {
    draft.message = `${who} accesses ${name} after it was invalidated`;
    draft.label(schedule.position(ended), `${names.agent(ender)} invalidates it here`, ender);
  } else {
    draft.message = `CTA ${cta} can end before ${who} ${useOf(scene)} ${name}`;
    if (ender >= 0) {
      const text = `${names.agent(ender)} exits CTA ${cta} here without waiting`;
      draft.label(schedule.position(ended), text, ender);
    } else labelLastMoves(scene, draft, cta);
  }
  const owners = system.program.roles.filter((role) => role.cta === cta).map((role) => role.name);
  const last = owners.length === 1 ? owners[0]! : `the last of ${list(owners)}`;
  const keeper = ender >= 0 ? names.agent(ender) : last;
  draft.helps.push(
    system.program.declarations.rings.length > 0
      ? `drain the ring before ${keeper} ends: yield* ring.drain()`
      : symptom.inMove
        ? wordsOf(system).drain(keeper, name)
        : `${keeper} must not end before ${who} is done with ${name}`,
  );
}

/** What the last move of a schedule, or the next wait, does to the memory of a CTA. */
function useOf({ symptom, schedule }: Scene): string {
  if (!symptom.inMove) return 'waits for';
  const record = schedule.records.at(-1);
  const uses = record?.flight ?? record?.instruction;
  if (symptom.onBuffer === true) return uses?.writes.includes(symptom.at) ? 'writes' : 'reads';
  if (record?.flight?.kind === FlightKind.copy) return 'completes bytes on';
  return record?.instruction !== null && record !== undefined && isTest(record.instruction.kind)
    ? 'waits for'
    : 'arrives on';
}

/** Where each role of a CTA that ended by itself was last. */
function labelLastMoves({ system, schedule, names }: Scene, draft: Draft, cta: number): void {
  for (const [role, { cta: own }] of system.program.roles.entries()) {
    const last = lastMoveOf(schedule, role);
    if (own !== cta || last < 0) continue;
    const text = `${names.agent(role)} performs its last operation here and ends without waiting`;
    draft.label(schedule.position(last), text, role);
  }
}

export function explainUninitialised(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule, system } = scene;
  const name = names.barrier(symptom.at);
  const waits = `${names.agent(symptom.agent)} can reach its wait for ${name} here`;
  // A wait is reported where its role waits; everything else where it was performed.
  if (!symptom.inMove) draft.primary(placeOf(scene, symptom.step), waits, symptom.agent);
  const who = symptom.inMove ? primaryIsLast(scene, draft) : names.agent(symptom.agent);
  if (symptom.inMove && schedule.records.at(-1)?.instruction?.kind === OpKind.init) {
    draft.message = `${who} initializes ${name}, which is already in use`;
    return;
  }
  draft.message = `${who} can use ${name} before it is initialized`;
  for (let role = 0; role < system.roles; role++) {
    const step = stepAhead(system, schedule.words, role, OpKind.init, symptom.at);
    if (step < 0 || role === symptom.agent) continue;
    const text = `${names.agent(role)} initializes it here, but nothing makes ${who} wait for this`;
    draft.label(placeOf(scene, step), text, role);
  }
  draft.helps.push(`synchronize all roles after the initialization: ${wordsOf(system).meetAll}`);
}

export function explainMemory(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const last = schedule.records.length - 1;
  const buffer = names.buffer(symptom.at);
  const freed = schedule.records.findLastIndex(({ instruction }, index) => {
    return (
      index < last && instruction?.kind === OpKind.free && instruction.writes.includes(symptom.at)
    );
  });
  const by = freed < 0 ? -1 : schedule.records[freed]!.agent;
  const isDouble = symptom.rule === 'tmem-double-free';
  const isOfOther = by >= 0 && by !== symptom.agent && !isDouble;
  // The role that frees has to wait: its line is the one to change.
  if (isOfOther) draft.primary(schedule.position(freed), `${names.agent(by)} frees it here`, by);
  const who = primaryIsLast(scene, draft);
  const verb = isDouble ? 'frees' : 'accesses';
  const state = freed < 0 ? 'is not allocated' : 'has already been freed';
  if (!isOfOther) {
    draft.message = `${who} ${verb} ${buffer}, which ${state}`;
    if (freed >= 0) draft.label(schedule.position(freed), `${names.agent(by)} freed it here`, by);
    return;
  }
  const record = schedule.records[last]!;
  const user = names.agent(record.flight?.role ?? symptom.agent);
  const writes = (record.flight ?? record.instruction)?.writes.includes(symptom.at) === true;
  draft.message =
    `${names.agent(by)} frees ${buffer} without waiting for ${who}, ` +
    `which can still ${writes ? 'write' : 'read'} it`;
  draft.helps.push(
    `before it frees ${buffer}, let ${names.agent(by)} wait for a barrier ` +
      `on which ${user} arrives after its last access`,
  );
}
