// A kernel of poundlock from a plan: each role performs the operations of its warp.
import type { Position } from '@poundlock/core/internal/base';
import { makeOp, OpKind, UNITS } from '@poundlock/core/internal/op';
import type { Op, Unit } from '@poundlock/core/internal/op';
import {
  barrier,
  buffer,
  cell,
  count,
  currentRole,
  end,
  loop,
  post,
  role,
} from '@poundlock/core/internal/program';
import type { Role } from '@poundlock/core/internal/program';
import type { ReferenceRun } from '../steps/run.ts';
import { rankOf } from '../steps/step.ts';
import type { AsyncUnit } from '../steps/step.ts';
import { PlannedBuffers } from './buffers.ts';
import type { BufferPlace } from './buffers.ts';
import type { Action, Plan, Uses } from './plan.ts';

/** Threads of a warp. */
const WARP = 32;

const UNIT_OF: Readonly<Record<AsyncUnit, Unit>> = {
  bulk: UNITS.bulk,
  // Copies are observed through groups and arrivals only, which wait for all earlier ones.
  cpAsync: { name: 'cp.async', order: 'in-order' },
  wgmma: UNITS.mma,
  tcgen05: UNITS.mma,
  // Loads and stores of tensor memory by threads, which `tcgen05.wait` completes.
  tensorLoad: { name: 'tcgen05.ld', order: 'in-order', proxy: 'tensor' },
  tensorStore: { name: 'tcgen05.st', order: 'in-order' },
};

/** Declares what a plan needs and returns its roles. It is called once for each role instance. */
export type MakeRoles = () => Role[];

/** Prepares the roles of a plan. */
export function rolesOf(plan: Plan, run: ReferenceRun): MakeRoles {
  const makeRoles = periodicRolesOf(plan, run);
  return () => makeRoles(1);
}

/** Prepares the roles of a plan that repeats some of its actions, for any number of periods. */
export function periodicRolesOf(plan: Plan, run: ReferenceRun): (periods: number) => Role[] {
  const buffers = new PlannedBuffers(plan, run);
  const usesCluster = plan.roles.some(({ actions }) =>
    actions.some(({ kind }) => kind === 'clusterArrive' || kind === 'clusterWait'),
  );
  return (periods) => {
    const player: Player = {
      ctas: plan.ctas,
      barriers: plan.barriers.map(({ name, count }) => barrier(name, { count }).id),
      cluster: usesCluster ? barrier('barrier.cluster', { count: plan.roles.length }).id : -1,
      buffers,
      cells: plan.cells.map(({ name, initial }) => cell(name, initial).id),
      bufferIds: buffers.buffers.map(({ name, bytes }) => buffer(name, { bytes }).id),
      placeOf: (at) => positionOf(run, at),
    };
    return plan.roles.map(({ name, cta, actions, repeated }) => {
      if (repeated === undefined || repeated.length === 0)
        return role(name, { cta, lanes: WARP }, function* () {
          yield* play(player, cta, actions);
        });
      const [from, to] = [repeated.at, repeated.at + repeated.length];
      const parts = [actions.slice(0, from), actions.slice(from, to), actions.slice(to)] as const;
      const rounds = count(periods);
      return role(name, { cta, lanes: WARP }, function* () {
        yield* play(player, cta, parts[0]);
        yield* loop(null, function* () {
          if (!(yield* rounds.more())) return end(null);
          yield* play(player, cta, parts[1]);
          return null;
        });
        yield* play(player, cta, parts[2], waitsForCluster(parts[0]));
      });
    });
  };
}

function waitsForCluster(actions: readonly Action[]): number {
  return actions.filter(({ kind }) => kind === 'clusterWait').length;
}

function positionOf(run: ReferenceRun, at: number): Position {
  const { file, line, column } = run.places(at);
  return { file, line, column };
}

/** What all roles share while they perform their actions. */
interface Player {
  readonly ctas: number;
  readonly barriers: readonly number[];
  readonly cluster: number;
  readonly cells: readonly number[];
  readonly buffers: PlannedBuffers;
  readonly bufferIds: readonly number[];
  readonly placeOf: (at: number) => Position;
}

/** CTAs of a target; none stands for the role's own. */
function reach(ranks: readonly number[], own: number): readonly number[] {
  return ranks.length === 1 && ranks[0] === own ? [] : ranks;
}

function* play(
  player: Player,
  own: number,
  actions: readonly Action[],
  before = 0,
): Generator<Op, void, number> {
  /** Waits at the barrier of the cluster so far. */
  let rounds = before;
  /** What the cell that was added to last held before. */
  let held = 0;
  for (const action of actions) {
    if (action.kind === 'last') {
      if (held === action.equals) yield* play(player, own, action.actions);
      continue;
    }
    const context = currentRole('yield*');
    const place = context.capture ? player.placeOf(action.at) : undefined;
    const blocking = blockingOp(player, action, () => rounds++);
    if (blocking === null) {
      for (const op of postedOps(player, own, action)) post(op, place);
    } else {
      if (context.capture) context.yieldedAt = place;
      const answer = yield blocking;
      if (action.kind === 'add') held = answer;
    }
  }
}

/** The operation of an action that can block; `null` for the others. */
function blockingOp(
  { barriers, cells, cluster }: Player,
  action: Action,
  round: () => number,
): Op | null {
  switch (action.kind) {
    case 'wait':
      return makeOp(OpKind.waitParity, {
        barrier: barriers[action.barrier]!,
        parity: action.parity,
      });
    case 'waitGroup':
      return makeOp(OpKind.waitGroup, { unit: UNIT_OF[action.unit], inFlight: action.pending });
    case 'named':
      return action.isSync ? makeOp(OpKind.syncNamed, gathering(action)) : null;
    case 'clusterWait':
      return makeOp(OpKind.waitParity, { barrier: cluster, parity: round() & 1 });
    case 'add':
      return makeOp(OpKind.fetchAdd, { cell: cells[action.cell]!, amount: action.amount });
    case 'init':
    case 'invalidate':
    case 'arrive':
    case 'drop':
    case 'expect':
    case 'complete':
    case 'copy':
    case 'use':
    case 'commit':
    case 'commitGroup':
    case 'clusterArrive':
    case 'access':
    case 'last':
      return null;
  }
}

function gathering({ id, threads }: Extract<Action, { kind: 'named' }>) {
  return { named: id, threads, lanes: WARP };
}

/** The operations of an action that cannot block. */
function postedOps(player: Player, own: number, action: Action): readonly Op[] {
  const { barriers } = player;
  switch (action.kind) {
    case 'init':
      return [makeOp(OpKind.init, { barrier: barriers[action.barrier]!, arrivals: action.count })];
    case 'invalidate':
      return [makeOp(OpKind.invalidate, { barrier: barriers[action.barrier]! })];
    case 'arrive': {
      const { arrivals, bytes, rank } = action;
      const ctas = reach([rank], own);
      return [
        makeOp(OpKind.arrive, {
          barrier: barriers[action.barrier]!,
          ctas,
          arrivals,
          lanes: 1,
          bytes,
        }),
      ];
    }
    case 'drop':
      return [
        makeOp(OpKind.arriveDrop, {
          barrier: barriers[action.barrier]!,
          arrivals: action.arrivals,
        }),
      ];
    case 'expect':
    case 'complete': {
      const args = {
        barrier: barriers[action.barrier]!,
        bytes: action.bytes,
        ctas: reach([action.rank], own),
      };
      return [
        action.kind === 'expect' ? makeOp(OpKind.expectTx, args) : makeOp(OpKind.completeTx, args),
      ];
    }
    case 'copy':
      return [copyOp(player, own, action)];
    case 'use': {
      const { reads, writes } = player.buffers.of(action);
      const touched = { reads: idsOf(player, reads), writes: idsOf(player, writes) };
      const ctas = reach(ranksOf(action), own);
      return [
        makeOp(OpKind.asyncUse, {
          unit: UNIT_OF[action.unit],
          ctas,
          ...touched,
          closesGroup: false,
          cycles: 0,
          work: null,
        }),
      ];
    }
    case 'commit': {
      const target = { barrier: barriers[action.barrier]!, ctas: reach(action.ranks, own) };
      return [makeOp(OpKind.commit, { unit: UNIT_OF[action.unit], ...target })];
    }
    case 'commitGroup':
      return [makeOp(OpKind.commit, { unit: UNIT_OF[action.unit], barrier: null, ctas: [] })];
    case 'named':
      return [makeOp(OpKind.arriveNamed, gathering(action))];
    case 'clusterArrive': {
      // Each warp arrives at a barrier in every CTA.
      const ctas = Array.from({ length: player.ctas }, (_, rank) => rank);
      return [
        makeOp(OpKind.arrive, { barrier: player.cluster, ctas, arrivals: 1, lanes: 1, bytes: 0 }),
      ];
    }
    case 'access':
      return accessOps(player, own, action);
    case 'wait':
    case 'waitGroup':
    case 'clusterWait':
    case 'add':
    case 'last':
      return [];
  }
}

function accessOps(player: Player, own: number, action: Action): Op[] {
  const { reads, writes } = player.buffers.of(action);
  const target = ({ buffer: index, rank }: BufferPlace) => ({
    buffer: player.bufferIds[index]!,
    cta: rank === own ? null : rank,
  });
  return [
    ...reads.map((place) => makeOp(OpKind.read, target(place))),
    ...writes.map((place) => makeOp(OpKind.write, target(place))),
  ];
}

function copyOp(player: Player, own: number, action: Extract<Action, { kind: 'copy' }>): Op {
  const { writes } = player.buffers.of(action);
  return makeOp(OpKind.asyncCopy, {
    unit: action.unit === 'cpAsync' ? UNIT_OF.cpAsync : UNITS.tma,
    barrier: player.barriers[action.barrier]!,
    bytes: action.bytes,
    writes: idsOf(player, writes),
    ctas: action.isPair ? action.ranks : reach(action.ranks, own),
    cell: null,
    value: 0,
    ctaGroup: action.isPair ? 2 : 1,
    work: null,
  });
}

/** The declarations of buffers, each once. */
function idsOf({ bufferIds }: Player, places: readonly BufferPlace[]): number[] {
  return [...new Set(places.map(({ buffer: index }) => bufferIds[index]!))];
}

/** CTAs in which asynchronous work reads and writes. */
function ranksOf({
  reads,
  writes,
}: {
  readonly reads: Uses;
  readonly writes: Uses;
}): readonly number[] {
  const ranks = new Set<number>();
  for (const { ranges } of [...reads.sets, ...writes.sets])
    for (let index = 0; index < ranges.length; index += 2) ranks.add(rankOf(ranges[index]!));
  return [...ranks];
}
