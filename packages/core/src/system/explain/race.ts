// Explains a race: both accesses, and the signal that let the later one proceed.
import {
  E,
  FlightKind,
  NAMED_BARRIERS,
  type Flight,
  type Instruction,
} from '../../machine/index.ts';
import { isTest, isTry, OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { nameRace } from './named-race.ts';
import { placeOf } from './needs.ts';
import { writeText } from './polled-cell.ts';
import { barrierOf, raceText, whose, type RacingParty } from './race-cause.ts';
import { sameTicket } from './same-ticket.ts';
import { workWord } from './work.ts';
import { wordsOf } from './words.ts';

interface Party extends RacingParty {
  readonly position: ReturnType<typeof placeOf>;
}

/** Operations by which roles meet. */
const MEETINGS: ReadonlySet<OpKind> = new Set([
  OpKind.syncNamed,
  OpKind.syncCluster,
  OpKind.waitCluster,
]);

export function explainRace(scene: Scene, draft: Draft): void {
  const { symptom, names } = scene;
  const one = party(scene, symptom.agent, null);
  const two = party(scene, symptom.other, one);
  const [writer, other] = one.writes ? [one, two] : [two, one];
  const buffer = names.buffer(writer.accessed);
  const named = nameRace(scene, draft, writer, other);
  const ticket = named === null ? sameTicket(scene, one.role, two.role) : null;
  draft.message = named ?? raceText(scene, writer, other, ticket);
  draft.primary(writer.position, accessText(scene, writer), writer.agent);
  draft.label(other.position, accessText(scene, other), other.agent);
  draft.accesses = [writer, other].map(({ role, issued }) => {
    return { role: names.agent(role), step: issued < 0 ? null : issued + 1 };
  });
  for (const each of [writer, other]) noteEntry(scene, draft, each, named !== null);
  if (ticket !== null) {
    const { agent, step } = scene.schedule.records[ticket.stored]!;
    draft.label(placeOf(scene, step), writeText(scene, ticket.stored), agent);
  }
  if (named !== null) return;
  helpWithOwnFlight(scene, draft, writer, other, buffer);
  helpWithOwnFlight(scene, draft, other, writer, buffer);
  draft.notes.push(
    'both accesses are enabled in the same state: no barrier orders one before the other',
  );
}

function accessText(scene: Scene, self: Party): string {
  const verb = self.writes ? 'writes' : 'reads';
  const buffer = scene.names.buffer(self.accessed);
  if (self.flight === null) return `${whose(scene, self)} ${verb} ${buffer} here`;
  return `${whose(scene, self)}, issued here, ${verb} ${buffer} until it completes`;
}

function party(scene: Scene, agent: number, other: Party | null): Party {
  const isRole = agent < scene.system.roles;
  return isRole ? roleParty(scene, agent) : flightParty(scene, agent, other === null);
}

/** A role whose next operation is an access. */
function roleParty(scene: Scene, role: number): Party {
  const { system, schedule, symptom } = scene;
  const step = schedule.words[role]!;
  const instruction = system.steps.instruction(step)!;
  const isAccess = instruction.kind === OpKind.read || instruction.kind === OpKind.write;
  return {
    agent: role,
    role,
    writes: instruction.writes.includes(symptom.at) || instruction.isOfStore,
    flight: null,
    issued: -1,
    position: placeOf(scene, step),
    accessed: isAccess ? instruction.target : symptom.at,
    ...waitsBefore(scene, role, schedule.records.length),
  };
}

/** A unit with a flight that accesses; of two flights of one unit, the last is the first party. */
function flightParty(scene: Scene, agent: number, takesLast: boolean): Party {
  const { system, schedule, symptom } = scene;
  const touches = ({ reads, writes }: Flight): boolean =>
    reads.includes(symptom.at) || writes.includes(symptom.at);
  const open = system.machine.openFlights;
  const indices = Array.from({ length: open.count(schedule.words) }, (_, index) => index);
  const mine = indices.filter((index) => {
    const flight = open.flightAt(schedule.words, index);
    const completes = open.canComplete(schedule.words, index);
    return system.roles + flight.unit === agent && touches(flight) && completes;
  });
  const index = (takesLast ? mine.at(-1) : mine[0]) ?? 0;
  const id = open.idAt(schedule.words, index);
  const flight = open.flightAt(schedule.words, index);
  const issued = schedule.issuerOf(id, schedule.records.length);
  return {
    agent,
    role: flight.role,
    writes: flight.writes.includes(symptom.at),
    flight,
    issued,
    position: issued < 0 ? undefined : placeOf(scene, schedule.records[issued]!.step),
    accessed: namedBy(scene, issued) ?? symptom.at,
    ...waitsBefore(scene, flight.role, issued),
  };
}

/** What a role waited for before a move. */
function waitsBefore(
  scene: Scene,
  role: number,
  index: number,
): Pick<Party, 'before' | 'synced' | 'met' | 'opener'> {
  const before = lastWait(scene, role, index);
  return {
    before,
    synced: lastSync(scene, role, index, true),
    met: lastSync(scene, role, index, false),
    opener: openerOf(scene, before),
  };
}

/** The buffer that the operation of a flight names, of those that have the piece. */
function namedBy({ schedule, symptom, system }: Scene, issuer: number): number | undefined {
  if (issuer < 0) return undefined;
  const { instruction } = schedule.records[issuer]!;
  const { pieces, ctas } = system.program;
  const covers = pieces.coversOf(Math.floor(symptom.at / ctas));
  const named = instruction?.named.filter((one) => covers.includes(Math.floor(one / ctas)));
  // Work that reaches several CTAs names the buffer of each.
  return named?.find((one) => one % ctas === symptom.at % ctas) ?? named?.[0];
}

/** The last wait that a role passed before a move. */
function lastWait(scene: Scene, role: number, index: number): number {
  return scene.schedule.records.findLastIndex(({ agent, instruction }, at) => {
    if (at >= index || agent !== role || instruction === null) return false;
    return isWait(scene, instruction);
  });
}

/** The last move before another by which a role waited for others, maybe those of its own warp. */
function lastSync(scene: Scene, role: number, index: number, withJoins: boolean): number {
  return scene.schedule.records.findLastIndex(({ agent, instruction }, at) => {
    if (at >= index || agent !== role || instruction === null) return false;
    if (!withJoins && isJoin(scene, instruction)) return false;
    return isWait(scene, instruction) || MEETINGS.has(instruction.kind);
  });
}

/** Whether strands of one role meet. */
function isJoin({ system }: Scene, { kind, target }: Instruction): boolean {
  return kind === OpKind.syncNamed && target % system.program.namedBarriers >= NAMED_BARRIERS;
}

/** Whether an operation waits for a barrier of the program, and not for work of its own role. */
function isWait({ system }: Scene, { kind, target }: Instruction): boolean {
  const { ctas, declarations } = system.program;
  if (kind === OpKind.waitParity && declarations.hiddenBarriers.has(Math.floor(target / ctas)))
    return false;
  return isTest(kind) && (!isTry(kind) || kind === OpKind.tryClaim);
}

/** A role that lets the other party in while its own work is under way has to wait for that. */
function helpWithOwnFlight(
  scene: Scene,
  draft: Draft,
  entrant: Party,
  self: Party,
  buffer: string,
): void {
  const { opener } = entrant;
  if (self.flight?.kind !== FlightKind.use || opener <= self.issued) return;
  const by = scene.schedule.records[opener]!;
  if (by.agent !== self.role) return;
  const role = scene.names.agent(self.role);
  const isRaii = scene.system.program.kernel.ownership === 'raii';
  const work = workWord(scene.system, scene.names, self.flight);
  const unit = scene.names.agent(scene.system.roles + self.flight.unit);
  draft.helps.push(
    `${role} releases ${buffer} before its ${work} completes: ` +
      wordsOf(scene.system).waitFirst(unit, isRaii),
  );
}

/** The move that completed the phase which let a party in, or −1. */
function openerOf(scene: Scene, before: number): number {
  if (before < 0) return -1;
  const barrier = barrierOf(scene, before);
  return scene.schedule.records.findLastIndex(
    (record, at) => at < before && record.completed.some((one) => one.barrier === barrier),
  );
}

/** Notes the arrival that completed the phase which let a party in. */
function noteEntry(scene: Scene, draft: Draft, self: Party, isNamed: boolean): void {
  const { schedule, names } = scene;
  if (self.before < 0) {
    const note = `${whose(scene, self)} passed no wait before this access`;
    // Both parties may be the work of one role.
    if (!isNamed && self.synced < 0 && !draft.notes.includes(note)) draft.notes.push(note);
    return;
  }
  const wait = schedule.records[self.before]!;
  const name = barrierOf(scene, self.before);
  const { opener } = self;
  if (name < 0) return;
  const text = `${names.agent(self.role)}'s wait on ${names.barrier(name)} passed here`;
  if (opener < 0) {
    draft.label(placeOf(scene, wait.step), `${text}: the barrier was fresh`, self.role);
    return;
  }
  const by = schedule.records[opener]!;
  draft.label(placeOf(scene, wait.step), text, self.role);
  const all = schedule.words[scene.system.machine.barrierAt(name) + E]!;
  const which = all === 1 ? 'its only arrival' : `the last of its ${all} arrivals`;
  const how = by.flight?.kind === FlightKind.copy ? '' : `, with ${which}`;
  const done = `completed ${names.barrier(name)} phase ${lastPhase(by, name)} here${how}`;
  draft.label(schedule.position(opener), `${names.agent(by.agent)} ${done}`, by.agent);
}

function lastPhase(
  record: { readonly completed: readonly { barrier: number; phase: number }[] },
  barrier: number,
) {
  return record.completed.findLast((one) => one.barrier === barrier)!.phase;
}
