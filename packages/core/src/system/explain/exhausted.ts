// Explains a phase that lacks arrivals although all who make them have come: who has, who does not.
import { E, FlightKind, type Instruction } from '../../machine/index.ts';
import { isTest, OpKind } from '../../op/index.ts';
import { formatNumber, list, listOfShares, plural } from '../names.ts';
import type { MoveRecord } from '../schedule.ts';
import type { Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { future } from './future.ts';
import { contribution, type Need } from './needs.ts';

/** What one role did in a phase of a barrier. */
interface Came {
  arrivals: number;
  /** The barriers that it had waited for before it arrived. */
  waited: ReadonlySet<number>;
}

/**
 * A role waits for the rest of a phase, and each role that would still arrive, among them that role
 * itself, has done so in this phase: what it owes is of its next lap. Null where that is not so.
 */
export function exhaustedText(scene: Scene, need: Need): string | null {
  const { names, system, schedule } = scene;
  const { barrier, pending } = need;
  const around = comeAround(scene, need);
  const owing = need.debts.filter(({ what }) => what === 'arrival').map(({ role }) => role);
  if (owing.length === 0 || !owing.every((role) => around.has(role))) return null;
  const came = arrivalsInPhase(scene, barrier);
  const all = schedule.words[system.machine.barrierAt(barrier) + E]!;
  const shares = [...came].map(([role, { arrivals }]) => {
    return { count: arrivals, name: names.agent(role) };
  });
  return (
    `${names.barrier(barrier)} counts ${plural(all, 'arrival')} in each phase and has got only ` +
    `${formatNumber(all - pending)}: ${listOfShares(shares)}${silentText(scene, need, came)}; ` +
    `${names.agent(need.role)} waits for it forever`
  );
}

/** Roles that have arrived in the phase that is waited for, and would again in their next lap. */
export function comeAround(scene: Scene, need: Need): ReadonlySet<number> {
  if (need.barrier < 0 || need.pending <= 0) return new Set();
  const came = [...arrivalsInPhase(scene, need.barrier)];
  return new Set(came.flatMap(([role, own]) => (waitsAgain(scene, role, need, own) ? [role] : [])));
}

function arrivalsInPhase(scene: Scene, barrier: number): Map<number, Came> {
  const { schedule, system } = scene;
  const came = new Map<number, Came>();
  for (const index of movesInPhase(schedule, barrier)) {
    const { agent, instruction, flight } = schedule.records[index]!;
    const isSignal = flight?.kind === FlightKind.signal && flight.barrier === barrier;
    // What a flight brings, it brings as it completes.
    const isOwn = instruction !== null && instruction.flights.length === 0;
    const own = isOwn ? contribution(system, instruction, barrier).arrivals : 0;
    const arrivals = isSignal ? 1 : own;
    if (arrivals === 0) continue;
    const role = flight?.role ?? agent;
    const before = came.get(role)?.arrivals ?? 0;
    came.set(role, { arrivals: before + arrivals, waited: waitedBy(scene, role, index) });
  }
  return came;
}

/** The barriers that a role had waited for before a move of the schedule. */
function waitedBy({ schedule }: Scene, role: number, until: number): Set<number> {
  const records = schedule.records.slice(0, until).filter(({ agent }) => agent === role);
  return new Set(records.map(tested).filter((barrier) => barrier >= 0));
}

function tested({ instruction, testedBarrier, waited }: MoveRecord): number {
  if (instruction?.kind === OpKind.waitParity) return instruction.target;
  return Math.max(testedBarrier, waited);
}

/** Whether a role waits again for what it waited for before it arrived, and then arrives again. */
function waitsAgain({ system, schedule }: Scene, role: number, need: Need, came: Came): boolean {
  for (const { instruction, words } of future(system, schedule.words, role)) {
    if (contribution(system, instruction, need.barrier).arrivals > 0) return false;
    const barrier = isTest(instruction.kind) ? system.waits.testedBarrier(words, instruction) : -1;
    if (barrier === need.barrier || came.waited.has(barrier)) return true;
  }
  return false;
}

/** Roles that wait for what all of those who came had waited for, and do not arrive. */
function silentText(scene: Scene, need: Need, came: ReadonlyMap<number, Came>): string {
  const { names, system } = scene;
  const [first, ...rest] = [...came.values()].map(({ waited }) => waited);
  const common = [...first!].filter((one) => rest.every((waited) => waited.has(one)));
  for (const barrier of common) {
    if (barrier === need.barrier) continue;
    const silent = system.program.roles.flatMap((_, role) => {
      const isOther = role !== need.role && !came.has(role);
      return isOther && waitsFor(scene, role, barrier) ? [role] : [];
    });
    if (silent.length === 0) continue;
    const who = list(silent.map((role) => names.agent(role)));
    const [wait, do_] = silent.length === 1 ? ['waits', 'does'] : ['wait', 'do'];
    return `, while ${who} ${wait} for ${names.barrier(barrier)} and ${do_} not arrive on it`;
  }
  return '';
}

/** Whether a role has waited for a barrier, or will. */
function waitsFor(scene: Scene, role: number, barrier: number): boolean {
  const { schedule, system } = scene;
  if (waitedBy(scene, role, schedule.records.length).has(barrier)) return true;
  for (const { instruction, words } of future(system, schedule.words, role))
    if (isTestOf(scene, instruction, words, barrier)) return true;
  return false;
}

function isTestOf(
  { system }: Scene,
  instruction: Instruction,
  words: Int32Array,
  barrier: number,
): boolean {
  return isTest(instruction.kind) && system.waits.testedBarrier(words, instruction) === barrier;
}
