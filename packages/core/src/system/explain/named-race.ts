// Races that have a rule of their own: by the memory, the grids, the buffers or the strands.
import type { Flight } from '../../machine/index.ts';
import type { StrandClass } from '../../program/index.ts';
import type { Draft, Scene } from './draft.ts';
import { lonelyStrand } from './unjoined.ts';
import { workWord } from './work.ts';
import { wordsOf } from './words.ts';

/** One of the two accesses of a race. */
export interface RaceParty {
  /** A role, or the number of roles plus a unit. */
  readonly agent: number;
  /** The role that acts, or that issued the flight. */
  readonly role: number;
  readonly writes: boolean;
  readonly flight: Flight | null;
  /** The physical buffer that it names. */
  readonly accessed: number;
  /** The move that completed the phase which let it in, or −1. */
  readonly opener: number;
}

/** A race of two accesses in words of its own; `null` for one that is nothing but a race. */
type Namer = (scene: Scene, draft: Draft, writer: RaceParty, other: RaceParty) => string | null;

/** The cause that is named first: the memory before the grids, these before bytes and strands. */
const NAMERS: readonly Namer[] = [ofRegisters, ofTensorMap, ofGrids, ofBytes, ofStrands];

/** Gives a race its own rule and help. The result is its message, or `null` for a plain race. */
export function nameRace(
  scene: Scene,
  draft: Draft,
  writer: RaceParty,
  other: RaceParty,
): string | null {
  for (const name of NAMERS) {
    const message = name(scene, draft, writer, other);
    if (message !== null) return message;
  }
  return null;
}

/** The party that acts itself, and the one whose work is in flight. */
function threadAndWork(one: RaceParty, two: RaceParty): [RaceParty, RaceParty] | null {
  if (one.flight === null && two.flight !== null) return [one, two];
  return one.flight !== null && two.flight === null ? [two, one] : null;
}

/** G04: registers of work that is in flight. */
function ofRegisters(scene: Scene, draft: Draft, one: RaceParty, two: RaceParty): string | null {
  if (spaceOf(scene) !== 'registers') return null;
  draft.rule = 'register-in-flight';
  const { names } = scene;
  const parties = threadAndWork(one, two);
  if (parties === null) return `two operations in flight use ${nameOf(scene, one)}`;
  const [self, work] = parties;
  const unit = names.agent(work.agent);
  const who = names.agent(self.role);
  draft.helps.push(
    `let ${who} wait for its ${unit} group before it: ${wordsOf(scene.system).waitForWork(unit)}`,
  );
  return (
    `${who} ${verb(self)} ${nameOf(scene, self)} while its ${unit} ` +
    `may still ${work.writes ? 'write' : 'read'} it`
  );
}

/** V03: a map of a copy that is in flight. */
function ofTensorMap(scene: Scene, draft: Draft, one: RaceParty, two: RaceParty): string | null {
  const parties = threadAndWork(one, two);
  if (spaceOf(scene) !== 'tensormap' || parties === null) return null;
  draft.rule = 'tensormap-in-flight';
  const [self, copy] = parties;
  draft.helps.push(
    'wait for the barrier of that copy before the change, or let the next copies use another map',
  );
  const { names } = scene;
  const whose = self.role === copy.role ? 'its copy' : who(scene, copy);
  return (
    `${names.agent(self.role)} changes tensor map ${nameOf(scene, self)} while ${whose} ` +
    'may still use it'
  );
}

/** D03: accesses of two grids. */
function ofGrids(scene: Scene, draft: Draft, one: RaceParty, two: RaceParty): string | null {
  const { program } = scene.system;
  const gridOf = ({ role }: RaceParty): number => program.roles[role]!.grid;
  if (gridOf(one) === gridOf(two)) return null;
  draft.rule = 'missing-grid-dependency-wait';
  const [before, after] = gridOf(one) < gridOf(two) ? [one, two] : [two, one];
  const still =
    `${who(scene, before)}, of grid ${program.declarations.grids[gridOf(before)]!}, ` +
    `may still ${before.writes ? 'write' : 'read'} it`;
  const access = `${who(scene, after)} ${verb(after)} ${nameOf(scene, after)}`;
  const words = wordsOf(scene.system);
  const between = program.declarations.grids[gridOf(before) + 1]!;
  if (gridOf(after) > gridOf(before) + 1) {
    draft.helps.push(words.waitBetween(between));
    return `${access}, and ${still}: grid ${between} does not wait for its end`;
  }
  const role = scene.names.agent(after.role);
  draft.helps.push(words.waitForGrid(role));
  return `${access} without ${words.gridWait} before it, and ${still}`;
}

/** B02: two buffers with the same bytes. */
function ofBytes(scene: Scene, draft: Draft, writer: RaceParty, other: RaceParty): string | null {
  const [written, used] = [nameOf(scene, writer), nameOf(scene, other)];
  if (written === used) return null;
  draft.rule = 'aliased-buffers';
  draft.helps.push(
    'order the two accesses with a barrier, or let the two buffers have no byte in common',
  );
  return (
    `${who(scene, writer)} can write ${written} while ${who(scene, other)} ${verb(other)} ` +
    `${used}, which has bytes in common with it`
  );
}

/** W06: a strand of a role that another one waits for, or signals for. */
function ofStrands(scene: Scene, draft: Draft, writer: RaceParty, other: RaceParty): string | null {
  const { names, system } = scene;
  const [mine, theirs] = [writer, other].map(({ role }) => system.program.roles[role]!.part);
  if (writer.role !== other.role && mine && theirs && mine.written === theirs.written) {
    draft.rule = 'unjoined-lanes';
    draft.helps.push(joinOf(scene, mine, 'between the two'));
    return (
      `${who(scene, writer)} can write ${nameOf(scene, writer)} while ${who(scene, other)} ` +
      `${verb(other)} it, and no join of ${mine.family}'s ${strandsOf(mine)} orders the two`
    );
  }
  for (const [party, entrant] of [
    [other, writer],
    [writer, other],
  ] as const) {
    const { part } = system.program.roles[party.role]!;
    if (part === null || part.classes < 2) continue;
    const lonely = lonelyStrand(scene, party.role, entrant.opener);
    if (lonely === null) continue;
    const [self, sister] = [names.agent(party.role), names.agent(lonely.agent)];
    const { does } = lonely;
    draft.rule = 'unjoined-lanes';
    draft.label(lonely.position, `${sister} ${does} here, for itself alone`, lonely.agent);
    const when = does === 'waits' ? 'after the wait' : 'before the signal';
    draft.helps.push(joinOf(scene, part, when));
    return (
      `${sister} ${does} for ${self}, and they are not joined: ${who(scene, writer)} can write ` +
      `${nameOf(scene, writer)} while ${who(scene, other)} ${verb(other)} it`
    );
  }
  return null;
}

/** How strands are joined, in the language of the program. */
function joinOf({ system }: Scene, { family }: StrandClass, when: string): string {
  return wordsOf(system).joinStrands(family, when);
}

function strandsOf({ threadsEach }: StrandClass): string {
  return threadsEach === 1 ? 'lanes' : 'warps';
}

function spaceOf({ system, symptom }: Scene): string {
  return system.program.spaceOf(symptom.at);
}

/** The buffer as the party names it. */
function nameOf({ names }: Scene, { accessed }: RaceParty): string {
  return names.buffer(accessed);
}

function verb({ writes }: RaceParty): string {
  return writes ? 'writes' : 'reads';
}

function who({ names, system }: Scene, { agent, role, flight }: RaceParty): string {
  if (flight === null) return names.agent(agent);
  return `${names.agent(role)}'s ${workWord(system, names, flight)}`;
}
