// The way from one access to another in a schedule: the wait before it, and the signal for that.
import { isRelaxed, isTest, isTry, isWide, OpKind } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import type { Access } from './memory-access.ts';
import { placeOf } from './needs.ts';

/** The signal and the wait between two accesses: their moves, and what they are for. */
export interface Meeting {
  /** The move of the signal, or −1. */
  readonly signal: number;
  readonly wait: number;
  /** The name of the barrier. */
  readonly at: string;
}

/** The meeting between two accesses: the last wait before the second one, and its signal. */
export function meetingBetween(scene: Scene, first: Access, second: Access): Meeting | null {
  if (first.role === second.role) return null;
  const wait = waitBefore(scene, second);
  if (wait === null) return clusterMeeting(scene, first, second);
  const { move, barrier } = wait;
  return {
    signal: arrivalBetween(scene, first, wait),
    wait: move,
    at: scene.names.barrier(barrier),
  };
}

/** A wait of a schedule: its move and its physical barrier. */
interface PassedWait {
  readonly move: number;
  readonly barrier: number;
}

/** The last wait for an mbarrier that the role of an access passed before it. */
function waitBefore({ schedule, system }: Scene, access: Access): PassedWait | null {
  for (let move = access.move - 1; move >= 0; move--) {
    const record = schedule.records[move]!;
    if (record.agent !== access.role || record.instruction === null) continue;
    const { kind, target } = record.instruction;
    if (kind === OpKind.waitCluster) return null;
    if (!isTest(kind) || isTry(kind)) continue;
    const barrier = record.waited >= 0 ? record.waited : record.stage < 0 ? target : -1;
    if (barrier >= 0 && barrier < system.machine.shape.barriers.length * system.program.ctas) {
      return { move, barrier };
    }
  }
  return null;
}

/** The first signal for a wait after an access, by its role if there is one, or −1. */
function arrivalBetween({ schedule }: Scene, first: Access, wait: PassedWait): number {
  const isSignal = (own: boolean) => (record: (typeof schedule.records)[number], move: number) =>
    move > first.move &&
    move < wait.move &&
    (!own || record.agent === first.role) &&
    record.reached.includes(wait.barrier);
  const own = schedule.records.findIndex(isSignal(true));
  return own >= 0 ? own : schedule.records.findIndex(isSignal(false));
}

/** Where both roles met at the cluster barrier, in two halves. */
function clusterMeeting({ schedule }: Scene, first: Access, second: Access): Meeting | null {
  const { records } = schedule;
  const wait = records.findLastIndex(({ agent, instruction }, move) => {
    return move < second.move && agent === second.role && instruction?.kind === OpKind.waitCluster;
  });
  const signal = records.findIndex(({ agent, instruction }, move) => {
    return move > first.move && agent === first.role && instruction?.kind === OpKind.arriveCluster;
  });
  return wait < 0 ? null : { signal, wait, at: 'the cluster barrier' };
}

/** Marks both ends of a meeting. */
export function markMeeting(scene: Scene, draft: Draft, { signal, wait, at }: Meeting): void {
  const { schedule, names } = scene;
  if (signal >= 0) {
    const { agent, instruction } = schedule.records[signal]!;
    const how = orderText(instruction?.order ?? 0);
    draft.label(schedule.position(signal), `${names.agent(agent)} signals ${at} here${how}`, agent);
  }
  const { step, agent, instruction } = schedule.records[wait]!;
  const how = orderText(instruction?.order ?? 0);
  draft.label(placeOf(scene, step), `${names.agent(agent)} waits for ${at} here${how}`, agent);
}

/** What an operation leaves out of the order of memory. */
function orderText(order: number): string {
  if (isRelaxed(order)) return ', relaxed';
  return isWide(order) ? '' : ', at CTA scope';
}

/** The order of a move, as a number of `op/order.ts`. */
export function orderAt({ schedule }: Scene, move: number): number {
  return schedule.records[move]?.instruction?.order ?? 0;
}
