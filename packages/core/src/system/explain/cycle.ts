// The smallest cycle of roles that wait for one another, among all that are stuck.
import { E, K } from '../../machine/index.ts';
import { CATALOGUE, OpKind } from '../../op/index.ts';
import { list } from '../names.ts';
import type { System } from '../system.ts';
import type { Scene } from './draft.ts';
import { comeAround } from './exhausted.ts';
import { future } from './future.ts';
import type { Need } from './needs.ts';

/** The roles that could end what a role waits for, as far as their futures show. */
export function providers(system: System, words: Int32Array, need: Need): number[] {
  const { kind, target } = need.instruction;
  if (need.barrier >= 0) return [...new Set(need.debts.map(({ role }) => role))];
  if (kind === OpKind.join) return [target];
  const others = system.program.roles.map((_, role) => role);
  if (kind === OpKind.syncCluster) {
    return others.filter((role) => {
      const step = words[role]!;
      if (step < 0 || system.hasEnded(words, role)) return false;
      return system.steps.instruction(step)?.kind !== OpKind.syncCluster;
    });
  }
  if (kind === OpKind.waitCluster) {
    return others.filter((role) => {
      const step = words[role]!;
      if (step < 0 || system.steps.instruction(step)?.kind === OpKind.waitCluster) return false;
      return [...future(system, words, role)].some(
        ({ instruction }) => instruction.kind === OpKind.arriveCluster,
      );
    });
  }
  const isHelp = providing(kind);
  return others.filter((role) => {
    if (role === need.role) return false;
    for (const { instruction } of future(system, words, role)) {
      if (isHelp(instruction.kind) && instruction.target === target) {
        // A role that waits at the barrier has arrived already.
        return words[role] !== need.step && !isAt(system, words, role, target);
      }
    }
    return false;
  });
}

function isAt(system: System, words: Int32Array, role: number, named: number): boolean {
  const instruction = system.steps.instruction(words[role]!);
  return instruction?.kind === OpKind.syncNamed && instruction.target === named;
}

function providing(kind: OpKind): (other: OpKind) => boolean {
  if (kind === OpKind.alloc) return (other) => other === OpKind.free;
  return (other) => CATALOGUE[kind]!.names === 'named' && CATALOGUE[other]!.names === 'named';
}

/** Of the roles that could end a wait those whose arrivals of this phase are still to come. */
function stillToCome(scene: Scene, need: Need): number[] {
  const { system, schedule } = scene;
  const from = providers(system, schedule.words, need);
  const came = comeAround(scene, need);
  const rest = from.filter((role) => !came.has(role));
  return rest.length > 0 ? rest : from;
}

/** The needs of the smallest cycle, each waiting for the next one's role; all if there is none. */
export function smallestCycle(scene: Scene, stuck: readonly Need[]): readonly Need[] {
  const next = new Map<Need, readonly Need[]>(
    stuck.map((need) => {
      const from = stillToCome(scene, need);
      return [need, stuck.filter(({ role }) => from.includes(role))];
    }),
  );
  let best: readonly Need[] | null = null;
  for (const start of stuck) {
    const found = cycleFrom(start, next);
    if (found !== null && (best === null || found.length < best.length)) best = found;
  }
  return best ?? stuck;
}

/** Breadth first: the shortest way from a need back to it. */
function cycleFrom(start: Need, next: ReadonlyMap<Need, readonly Need[]>): readonly Need[] | null {
  const before = new Map<Need, Need>();
  const queue = [start];
  for (const need of queue) {
    for (const other of next.get(need)!) {
      if (other === start) {
        const way = [need];
        for (let at = need; at !== start;) way.unshift((at = before.get(at)!));
        return way;
      }
      if (before.has(other)) continue;
      before.set(other, need);
      queue.push(other);
    }
  }
  return null;
}

/** What a role waits for, as a noun: `full[0]`, `named barrier 1`. */
function wantedText({ names }: Pick<Scene, 'names'>, need: Need): string {
  const { kind, target } = need.instruction;
  if (need.barrier >= 0) return names.barrier(need.barrier);
  switch (kind) {
    case OpKind.syncNamed:
      return names.namedBarrier(target);
    case OpKind.syncCluster:
    case OpKind.waitCluster:
      return 'the cluster barrier';
    case OpKind.takeRegisters:
      return 'registers';
    case OpKind.waitGrids:
      return 'the grid before';
    case OpKind.join:
      return `the end of ${names.agent(target)}`;
    case OpKind.alloc:
      return `free memory of ${names.pool(target)}`;
    default:
      return 'its turn';
  }
}

/**
 * A cycle in which nothing has reached a barrier: the side that goes first waits for a phase that
 * only the other one can complete.
 */
export function startText(scene: Scene, cycle: readonly Need[]): string | null {
  const { names, system, schedule } = scene;
  const isFresh = (need: Need): boolean => {
    if (need.barrier < 0 || need.bytes !== 0) return false;
    const at = system.machine.barrierAt(need.barrier);
    return schedule.words[at + K] === 0 && schedule.words[at + E] === need.pending;
  };
  if (cycle.length < 2 || !cycle.every(isFresh)) return null;
  const copying = cycle.filter((need) =>
    cycle.some(({ debts }) => debts.some(({ role, bytes }) => role === need.role && bytes > 0)),
  );
  const [first] = copying.length === 1 ? copying : [];
  const isRaw = (first ?? cycle[0]!).instruction.kind === OpKind.waitParity;
  const start = isRaw ? 'parity 1' : 'the phase before the first one';
  const who = first === undefined ? 'the side that goes first' : names.agent(first.role);
  const all = cycle.map((need) => `${names.agent(need.role)} for ${wantedText(scene, need)}`);
  return (
    `${list(cycle.map(({ role }) => names.agent(role)))} wait for ` +
    `${cycle.length === 2 ? 'each other' : 'one another'} in the first lap: ${list(all)}, ` +
    `and no phase has completed: ${who} has to start with ${start}`
  );
}

/** The stuck roles beside some of them. */
export function alsoWaiting(
  { names }: Scene,
  stuck: readonly Need[],
  named: readonly Need[],
): string {
  const rest = stuck.filter(({ role }) => named.every((need) => need.role !== role));
  const who = list(rest.map(({ role }) => names.agent(role)));
  return rest.length === 0 ? '' : `; also waiting: ${who}`;
}

/** `no role can go on: load waits for empty[0], and use and store for full[0]`. */
export function waitsText(scene: Scene, stuck: readonly Need[]): string {
  const { names } = scene;
  const groups = [...Map.groupBy(stuck, (need) => wantedText(scene, need))];
  const each = groups.map(([what, own], index) => {
    const verb = index > 0 ? '' : own.length === 1 ? 'waits ' : 'wait ';
    return `${list(own.map(({ role }) => names.agent(role)))} ${verb}for ${what}`;
  });
  const all =
    each.length < 2 ? each.join('') : `${each.slice(0, -1).join(', ')}, and ${each.at(-1)!}`;
  return `no role can go on: ${all}`;
}

/** `load and use wait for each other: load for empty[0], use for full[0]`. */
export function cycleText(scene: Scene, cycle: readonly Need[], stuck: readonly Need[]): string {
  const { names } = scene;
  const name = (need: Need): string => names.agent(need.role);
  const [first] = cycle;
  const also = alsoWaiting(scene, stuck, cycle);
  if (cycle.length === 1) {
    const own = providers(scene.system, scene.schedule.words, first!).includes(first!.role);
    const why = own ? 'and only its own later operations complete it' : 'which never comes';
    return `${name(first!)} waits for ${wantedText(scene, first!)}, ${why}${also}`;
  }
  const each = cycle.length === 2 ? 'each other' : 'one another';
  const what = cycle.map((need) => `${name(need)} for ${wantedText(scene, need)}`);
  return `${list(cycle.map(name))} wait for ${each}: ${list(what)}${also}`;
}
