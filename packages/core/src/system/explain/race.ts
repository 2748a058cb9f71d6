// Explains a race: both accesses, and the signal that let the later one proceed.
import { E, FlightKind, type Flight, type Instruction } from '../../machine/index.ts';
import { isTest, isTry, OpKind, Side } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { nameRace, type RaceParty } from './named-race.ts';
import { contribution, placeOf } from './needs.ts';

interface Party extends RaceParty {
  /** The last move of its role that passed a wait before this access, or −1. */
  readonly before: number;
  /** The move that issued the flight, or −1. */
  readonly issued: number;
  readonly position: ReturnType<typeof placeOf>;
}

export function explainRace(scene: Scene, draft: Draft): void {
  const { symptom, names } = scene;
  const one = party(scene, symptom.agent, null);
  const two = party(scene, symptom.other, one);
  const [writer, other] = one.writes ? [one, two] : [two, one];
  const buffer = names.buffer(writer.accessed);
  const named = nameRace(scene, draft, writer, other);
  draft.message = named ?? plainMessage(scene, writer, other, buffer);
  draft.primary(writer.position, accessText(scene, writer), writer.agent);
  draft.label(other.position, accessText(scene, other), other.agent);
  for (const each of [writer, other]) noteEntry(scene, draft, each, named !== null);
  if (named !== null) return;
  helpWithOwnFlight(scene, draft, writer, other, buffer);
  helpWithOwnFlight(scene, draft, other, writer, buffer);
  draft.notes.push(
    'both accesses are enabled in the same state: no barrier orders one before the other',
  );
}

function plainMessage(scene: Scene, writer: Party, other: Party, buffer: string): string {
  return (
    earlyRelease(scene, writer, other, buffer) ??
    earlyRelease(scene, other, writer, buffer) ??
    `${who(scene, writer)} can write ${buffer} while ${who(scene, other)} ` +
      `${other.writes ? 'writes' : 'reads'} it${unwaited(scene, writer, other)}`
  );
}

/** A role that lets the other party in while its own asynchronous work is in flight. */
function earlyRelease(scene: Scene, entrant: Party, self: Party, buffer: string): string | null {
  if (self.flight?.kind !== FlightKind.use || entrant.before < 0) return null;
  const barrier = barrierOf(scene, entrant.before);
  const { schedule, system, names } = scene;
  if (barrier < 0) return null;
  const released = schedule.records.findIndex(({ agent, instruction }, at) => {
    if (at <= self.issued || at >= entrant.before || agent !== self.role) return false;
    return instruction !== null && arrivesAt(system, instruction, barrier);
  });
  if (released < 0) return null;
  const verb = self.writes ? 'writes' : 'reads';
  return (
    `${names.agent(self.role)} arrives on ${names.barrier(barrier)} while its asynchronous work ` +
    `still ${verb} ${buffer}, and ${who(scene, entrant)} can ` +
    `${entrant.writes ? 'write' : 'read'} it`
  );
}

/** Whether a role arrives itself, and not by a commit, which waits for the work. */
function arrivesAt(system: Scene['system'], instruction: Instruction, barrier: number): boolean {
  if (instruction.flights.length > 0) return false;
  return contribution(system, instruction, barrier).arrivals > 0;
}

/** Which one of two parties has waited for nothing. */
function unwaited(scene: Scene, one: Party, two: Party): string {
  if (one.before < 0 === two.before < 0) return '';
  return `: ${scene.names.agent((one.before < 0 ? one : two).role)} waits for no barrier before it`;
}

function who(scene: Scene, { agent, role, flight }: Party): string {
  const { names } = scene;
  if (flight === null) return names.agent(agent);
  return `${names.agent(role)}'s ${flight.kind === FlightKind.copy ? 'copy' : 'asynchronous work'}`;
}

function accessText(scene: Scene, self: Party): string {
  const verb = self.writes ? 'writes' : 'reads';
  const buffer = scene.names.buffer(self.accessed);
  if (self.flight === null) return `${who(scene, self)} ${verb} ${buffer} here`;
  return `${who(scene, self)}, issued here, ${verb} ${buffer} until it completes`;
}

function party(scene: Scene, agent: number, other: Party | null): Party {
  const { system, schedule, symptom } = scene;
  const touches = ({ reads, writes }: Instruction | Flight): boolean =>
    reads.includes(symptom.at) || writes.includes(symptom.at);
  if (agent < system.roles) {
    const step = schedule.words[agent]!;
    const instruction = system.steps.instruction(step)!;
    const writes = instruction.writes.includes(symptom.at);
    const before = lastWait(scene, agent, schedule.records.length);
    const position = placeOf(scene, step);
    const isAccess = instruction.kind === OpKind.read || instruction.kind === OpKind.write;
    const accessed = isAccess ? instruction.target : symptom.at;
    const opener = openerOf(scene, before);
    return {
      agent,
      role: agent,
      writes,
      flight: null,
      before,
      issued: -1,
      position,
      accessed,
      opener,
    };
  }
  const open = system.machine.openFlights;
  const indices = Array.from({ length: open.count(schedule.words) }, (_, index) => index);
  const mine = indices.filter((index) => {
    const flight = open.flightAt(schedule.words, index);
    const completes = open.canComplete(schedule.words, index);
    return system.roles + flight.unit === agent && touches(flight) && completes;
  });
  // Of two flights of one unit, the first party took the last one.
  const index = (other === null ? mine.at(-1) : mine[0]) ?? 0;
  const id = open.idAt(schedule.words, index);
  const flight = open.flightAt(schedule.words, index);
  const issuer = schedule.issuerOf(id, schedule.records.length);
  const position = issuer < 0 ? undefined : placeOf(scene, schedule.records[issuer]!.step);
  const writes = flight.writes.includes(symptom.at);
  const before = lastWait(scene, flight.role, issuer);
  const accessed = namedBy(scene, issuer) ?? symptom.at;
  const [{ role }, opener] = [flight, openerOf(scene, before)];
  return { agent, role, writes, flight, before, issued: issuer, position, accessed, opener };
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
  return scene.schedule.records.findLastIndex((record, at) => {
    if (at >= index || record.agent !== role || record.instruction === null) return false;
    const { kind } = record.instruction;
    return isTest(kind) && (!isTry(kind) || kind === OpKind.tryClaim);
  });
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
  draft.helps.push(
    `${role} releases ${buffer} before its asynchronous work on it completes: ` +
      (isRaii
        ? `release it explicitly after waitGroup(0), or signal with a commit`
        : `wait for the work with waitGroup(0) first, or signal with a commit`),
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
    if (!isNamed) draft.notes.push(`${who(scene, self)} passed no wait before this access`);
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

/** The barrier that a wait in the schedule was for. */
function barrierOf(scene: Scene, index: number): number {
  const { instruction, stage } = scene.schedule.records[index]!;
  if (instruction === null) return -1;
  if (stage < 0) return instruction.target;
  const ring = scene.system.program.declarations.rings[instruction.target]!;
  const barriers = instruction.side === Side.consume ? ring.full : ring.empty;
  return barriers[stage]! * scene.system.program.ctas + instruction.cta;
}
