// The first sentence of a race: which order is missing between the two accesses.
import { FlightKind, type Instruction } from '../../machine/index.ts';
import { OpKind, Side } from '../../op/index.ts';
import type { Scene } from './draft.ts';
import type { RaceParty } from './named-race.ts';
import { contribution } from './needs.ts';
import type { SameTicket } from './same-ticket.ts';
import { workWord } from './work.ts';

/** A party of a race, with what its role has waited for. */
export interface RacingParty extends RaceParty {
  /** The last move of its role that passed a wait before this access, or −1. */
  readonly before: number;
  /** The same, waits at named barriers and at the cluster's included. */
  readonly synced: number;
  /** The same without joins of the lanes of a warp. */
  readonly met: number;
  /** The move that issued the flight, or −1. */
  readonly issued: number;
}

/** What lets one party in, and what the other one has not done by then. */
type Cause = (scene: Scene, entrant: RacingParty, self: RacingParty) => string | null;

/** Causes, the most certain one first; each is tried with both parties as the entrant. */
const CAUSES: readonly Cause[] = [
  ownWork,
  releasedInFlight,
  metInFlight,
  releasedBeforeUse,
  neverWaited,
  notWaitedFor,
  reliedOn,
];

/** The race of two parties in a sentence. */
export function raceText(
  scene: Scene,
  writer: RacingParty,
  other: RacingParty,
  ticket: SameTicket | null,
): string {
  if (ticket !== null) return `${canWrite(scene, writer, other)}: ${ticket.text}`;
  for (const cause of CAUSES) {
    const text = cause(scene, writer, other) ?? cause(scene, other, writer);
    if (text !== null) return text;
  }
  return `${canWrite(scene, writer, other)}${sinceMeeting(scene, writer, other)}`;
}

/** `load's copy can write ab[0] while mma reads it`. */
function canWrite(scene: Scene, writer: RacingParty, other: RacingParty): string {
  const [entrant, self] = writer.writes ? [writer, other] : [other, writer];
  return (
    `${whose(scene, entrant)} can write ${nameOf(scene, entrant)} while ` +
    `${whose(scene, self)} ${verb(self)} it`
  );
}

/** A role that has not waited for its own asynchronous work. */
function ownWork({ names, system }: Scene, one: RacingParty, two: RacingParty): string | null {
  if (one.role !== two.role || two.flight === null) return null;
  const [who, word] = [names.agent(one.role), workWord(system, names, two.flight)];
  const buffer = names.buffer(one.accessed);
  if (one.flight === null) {
    return `${who} ${verb(one)} ${buffer} while its own ${word} may still ${plainVerb(two)} it`;
  }
  const other = workWord(system, names, one.flight);
  const both =
    word === other ? `two operations (${word}) of ${who}` : `${word} and ${other} of ${who}`;
  return `${both} use ${buffer} at once: ${who} does not wait for the first one`;
}

/** A role that lets the other party in while its own asynchronous work is in flight. */
function releasedInFlight(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (self.flight?.kind !== FlightKind.use || entrant.before < 0) return null;
  const barrier = barrierOf(scene, entrant.before);
  if (barrier < 0 || arrivalOf(scene, self, barrier, self.issued, entrant.before) < 0) return null;
  const { names, system } = scene;
  return (
    `${names.agent(self.role)} arrives on ${names.barrier(barrier)} while its ` +
    `${workWord(system, names, self.flight)} still ${verb(self)} ${nameOf(scene, entrant)}, ` +
    `and ${whose(scene, entrant)} can ${plainVerb(entrant)} it`
  );
}

/** A role that meets the other party while its own asynchronous work is in flight. */
function metInFlight(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (self.flight?.kind !== FlightKind.use || entrant.role === self.role) return null;
  const { schedule, names, system } = scene;
  const met = schedule.records[entrant.met]?.instruction;
  if (met?.kind !== OpKind.syncNamed) return null;
  const isMet = schedule.records.some(({ agent, instruction }, at) => {
    if (at <= self.issued || agent !== self.role) return false;
    return instruction?.kind === OpKind.syncNamed && instruction.target === met.target;
  });
  if (!isMet) return null;
  return (
    `${names.agent(self.role)} passes ${names.namedBarrier(met.target)} while its ` +
    `${workWord(system, names, self.flight)} still ${verb(self)} ${nameOf(scene, entrant)}, ` +
    `and ${whose(scene, entrant)} can ${plainVerb(entrant)} it`
  );
}

/** A role that lets the other party in, and comes to its own access after that. */
function releasedBeforeUse(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (entrant.role === self.role || entrant.before < 0) return null;
  const barrier = barrierOf(scene, entrant.before);
  const end = self.issued < 0 ? scene.schedule.records.length : self.issued;
  const until = Math.min(end, entrant.before);
  const released = barrier < 0 ? -1 : arrivalOf(scene, self, barrier, -1, until);
  if (released < 0 || self.synced > released) return null;
  const { names } = scene;
  if (hasAccessed(scene, self, Math.max(self.synced, 0), released)) {
    return `${afterArrival(scene, entrant, self, barrier)}, without a wait between`;
  }
  const own = self.flight === null ? 'it' : `its ${workWord(scene.system, names, self.flight)}`;
  return (
    `${names.agent(self.role)} arrives on ${names.barrier(barrier)} before ${own} ${verb(self)} ` +
    `${nameOf(scene, self)}: the arrival lets ${whose(scene, entrant)} ${plainVerb(entrant)} it ` +
    'at the same time'
  );
}

/** `mma reads ab[0] after its arrival on empty[0], which lets load's copy write it`. */
function afterArrival(
  scene: Scene,
  entrant: RacingParty,
  self: RacingParty,
  barrier: number,
): string {
  const { names } = scene;
  const its = self.flight === null ? 'its arrival' : `the arrival of ${names.agent(self.role)}`;
  return (
    `${whose(scene, self)} ${verb(self)} ${nameOf(scene, self)} after ${its} on ` +
    `${names.barrier(barrier)}, which lets ${whose(scene, entrant)} ${plainVerb(entrant)} it`
  );
}

/** A party that relies on an earlier arrival of the other one. */
function reliedOn(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (entrant.role === self.role || entrant.before < 0) return null;
  const barrier = barrierOf(scene, entrant.before);
  const end = self.issued < 0 ? scene.schedule.records.length : self.issued;
  const until = Math.min(end, entrant.before);
  if (barrier < 0 || arrivalOf(scene, self, barrier, -1, until) < 0) return null;
  return afterArrival(scene, entrant, self, barrier);
}

/** A party that has waited for nothing at all. */
function neverWaited(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (entrant.synced >= 0 || self.synced < 0) return null;
  const who = scene.names.agent(entrant.role);
  return `${canWrite(scene, entrant, self)}: ${who} waits for no barrier before it`;
}

/** A party whose last wait is for a barrier that says nothing of the other party. */
function notWaitedFor(scene: Scene, entrant: RacingParty, self: RacingParty): string | null {
  if (entrant.before < 0 || entrant.before < entrant.met || entrant.role === self.role) {
    return null;
  }
  const barrier = barrierOf(scene, entrant.before);
  if (barrier < 0) return null;
  const { names } = scene;
  const [name, who] = [names.barrier(barrier), names.agent(entrant.role)];
  const access = canWrite(scene, entrant, self);
  if (entrant.opener < 0) {
    return `${access}: the wait of ${who} for ${name} before it passes on a fresh barrier`;
  }
  const { records } = scene.schedule;
  // A commit arrives for the role that issued it.
  const doesSignal = records.slice(0, entrant.before).some(({ agent, instruction }) => {
    if (agent !== self.role || instruction === null) return false;
    return contribution(scene.system, instruction, barrier).arrivals > 0;
  });
  if (doesSignal) return null;
  return (
    `${access}: the last wait of ${who} before it is for ${name}, ` +
    `on which ${names.agent(self.role)} does not arrive`
  );
}

/** Two parties that have met, and no more than that. */
function sinceMeeting({ schedule, names }: Scene, one: RacingParty, two: RacingParty): string {
  const [first, second] = [one, two].map(({ synced }) => schedule.records[synced]?.instruction);
  if (one.synced < 0 && two.synced < 0) return ': no barrier is between them';
  if (first?.kind !== second?.kind || first?.target !== second?.target) return '';
  if (first?.kind === OpKind.syncNamed) {
    return `: there is no barrier between them after ${names.namedBarrier(first.target)}`;
  }
  return first?.kind === OpKind.waitCluster || first?.kind === OpKind.syncCluster
    ? ': there is no barrier between them after that of the cluster'
    : '';
}

/** The last move in a span by which a party's role itself arrives on a barrier, or −1. */
function arrivalOf(
  { schedule, system }: Scene,
  { role }: RacingParty,
  barrier: number,
  after: number,
  before: number,
): number {
  return schedule.records.findLastIndex(({ agent, instruction }, at) => {
    if (at <= after || at >= before || agent !== role || instruction === null) return false;
    return arrivesAt(system, instruction, barrier);
  });
}

/** Whether a role arrives itself, and not by a commit, which waits for the work. */
function arrivesAt(system: Scene['system'], instruction: Instruction, barrier: number): boolean {
  if (instruction.flights.length > 0) return false;
  return contribution(system, instruction, barrier).arrivals > 0;
}

/** Whether a party's role has accessed what the race is about in a span of the schedule. */
function hasAccessed(scene: Scene, self: RacingParty, after: number, before: number): boolean {
  const { schedule, symptom, system } = scene;
  const { flights } = system.machine.flights;
  const touches = ({ reads, writes }: Pick<Instruction, 'reads' | 'writes'>): boolean =>
    reads.includes(symptom.at) || writes.includes(symptom.at);
  return schedule.records.some(({ agent, instruction }, at) => {
    if (at < after || at >= before || agent !== self.role || instruction === null) return false;
    return touches(instruction) || instruction.flights.some((id) => touches(flights[id]!));
  });
}

/** The barrier that a wait in the schedule was for. */
export function barrierOf(scene: Scene, index: number): number {
  const { instruction, stage } = scene.schedule.records[index]!;
  if (instruction === null) return -1;
  if (stage < 0) return instruction.target;
  const ring = scene.system.program.declarations.rings[instruction.target]!;
  const barriers = instruction.side === Side.consume ? ring.full : ring.empty;
  return barriers[stage]! * scene.system.program.ctas + instruction.cta;
}

/** `mma`, or `load's copy`. */
export function whose({ names, system }: Scene, { agent, role, flight }: RacingParty): string {
  if (flight === null) return names.agent(agent);
  return `${names.agent(role)}'s ${workWord(system, names, flight)}`;
}

function nameOf({ names }: Scene, { accessed }: RacingParty): string {
  return names.buffer(accessed);
}

function verb({ writes }: RacingParty): string {
  return writes ? 'writes' : 'reads';
}

function plainVerb({ writes }: RacingParty): string {
  return writes ? 'write' : 'read';
}
