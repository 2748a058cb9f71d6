// Explains a wait for a phase that no role completes any more: who has arrived, and who stopped.
import { E, FlightKind } from '../../machine/index.ts';
import { OpKind } from '../../op/index.ts';
import { formatNumber, list, plural } from '../names.ts';
import type { Scene } from './draft.ts';
import { movesInPhase } from './history.ts';
import { contribution, type Need } from './needs.ts';
import { isSettled, protocolOf } from './protocol.ts';

export function starvedText(scene: Scene, need: Need): string {
  const { names, system, schedule } = scene;
  const { barrier, pending } = need;
  const [who, name] = [names.agent(need.role), names.barrier(barrier)];
  const all = schedule.words[system.machine.barrierAt(barrier) + E]!;
  const isRaw = need.instruction.kind === OpKind.waitParity;
  const what = isRaw ? name : `phase ${need.phase} of ${name}`;
  if (pending <= 0) return `${who} waits for ${what}, whose phase can never complete`;
  const ever = everArrived(scene, barrier);
  // Of roles with choices only one way through their program is known.
  const arrives = isSettled(protocolOf(system), barrier) ? 'arrives' : 'has arrived';
  if (ever.size === 0) return `${who} waits for ${what}, and no role ${arrives} on ${name}`;
  const came = new Set(movesInPhase(schedule, barrier).map((index) => roleOf(scene, index)));
  const arrived = [...ever.keys()].filter((role) => came.has(role));
  const rest = [...ever.keys()].filter((role) => !came.has(role));
  const parts: string[] = [];
  if (arrived.length > 0) {
    const has = arrived.length === 1 ? 'has' : 'have';
    parts.push(`only ${list(arrived.map((role) => names.agent(role)))} ${has} arrived`);
  }
  for (const role of rest) parts.push(stopped(scene, role, ever.get(role)!));
  const others = system.program.roles.length - ever.size - (ever.has(need.role) ? 0 : 1);
  if (rest.length === 0 && others > 0) parts.push(`no other role ${arrives} on it`);
  const lack =
    pending === all
      ? `which gets no more arrivals`
      : `which lacks ${formatNumber(pending)} of its ${plural(all, 'arrival')}`;
  return `${who} waits for ${what}, ${lack}: ${parts.join(', ')}`;
}

/** A role that arrived in earlier phases, or would have. */
function stopped({ names, system, schedule }: Scene, role: number, times: number): string {
  const who = names.agent(role);
  if (times === 0) return `${who} never comes to its arrival`;
  const after = `after ${plural(times, 'arrival')} on it`;
  if (protocolOf(system).cut.has(role)) return `${who} has made none ${after}`;
  return system.hasEnded(schedule.words, role)
    ? `${who} has ended ${after}`
    : `${who} makes none ${after}`;
}

/** The arrivals of each role in the schedule, 0 for one that arrives only in its whole program. */
function everArrived(scene: Scene, barrier: number): Map<number, number> {
  const { schedule, system } = scene;
  const found = new Map<number, number>();
  const add = (role: number, times: number): void => {
    found.set(role, (found.get(role) ?? 0) + times);
  };
  for (const use of protocolOf(system).barriers[barrier]!) if (use.arrivals > 0) add(use.role, 0);
  for (const { agent, instruction, flight } of schedule.records) {
    if (flight?.kind === FlightKind.signal && flight.barrier === barrier) add(flight.role, 1);
    // What a flight brings, it brings as it completes.
    if (instruction === null || instruction.flights.length > 0) continue;
    const { arrivals } = contribution(system, instruction, barrier);
    if (arrivals > 0) add(agent, arrivals);
  }
  return found;
}

function roleOf({ schedule }: Scene, index: number): number {
  const { agent, flight } = schedule.records[index]!;
  return flight?.role ?? agent;
}
