// A kernel of poundlock from a plan: each role performs the operations of its warp.
import { makeOp, OpKind, UNITS } from '@poundlock/core/internal/op';
import type { Op, Unit } from '@poundlock/core/internal/op';
import { barrier, buffer, currentRole, post, role } from '@poundlock/core/internal/program';
import type { Role } from '@poundlock/core/internal/program';
import type { Position } from '@poundlock/core/internal/base';
import type { AsyncUnit, Ranges } from '../steps/step.ts';
import { offsetOf, rankOf, TENSOR_MEMORY } from '../steps/step.ts';
import type { ReferenceRun } from '../steps/run.ts';
import type { Agent, Piece } from './pieces.ts';
import type { Action, Plan, Uses } from './plan.ts';

/** Threads of a warp. */
const WARP = 32;

const UNIT_OF: Readonly<Record<AsyncUnit, Unit>> = {
  bulk: UNITS.bulk,
  // Copies are observed through groups and arrivals only, which wait for all earlier ones.
  cpAsync: { name: 'cp.async', order: 'in-order' },
  wgmma: UNITS.mma,
  tcgen05: UNITS.mma,
};

/** Ids of the buffers that stand for pieces, declared as they are needed. */
class PieceBuffers {
  readonly #ids = new Map<string, number>();
  readonly #run: ReferenceRun;
  readonly #roles: readonly string[];

  constructor(run: ReferenceRun, roles: readonly string[]) {
    this.#run = run;
    this.#roles = roles;
  }

  /** The buffers that an agent's access to a piece touches. */
  of(piece: Piece, agent: Agent): readonly number[] {
    const { compatible } = piece;
    if (compatible.length === 0) return [this.#declare(piece, '')];
    const owners = compatible.includes(agent) ? [agent] : compatible;
    return owners.map((owner) => this.#declare(piece, `@${this.#roles[owner] ?? owner}`));
  }

  #declare(piece: Piece, suffix: string): number {
    const name = `${pieceName(this.#run, piece)}${suffix}`;
    let id = this.#ids.get(name);
    if (id === undefined) this.#ids.set(name, (id = buffer(name, { bytes: piece.bytes }).id));
    return id;
  }
}

function pieceName(run: ReferenceRun, { address, bytes }: Piece): string {
  const offset = offsetOf(address);
  if (offset >= TENSOR_MEMORY) return `tmem[${(offset - TENSOR_MEMORY) / 4}]/${bytes}`;
  return `${run.nameOf(offset).replace(/^cta\d+\./, '')}/${bytes}`;
}

/** Declares the barriers and buffers of a plan, and returns its roles. */
export function rolesOf(plan: Plan, run: ReferenceRun): Role[] {
  const names = plan.roles.map(({ name }) => name);
  const barriers = plan.barriers.map(({ name, count }) => barrier(name, { count }).id);
  const usesCluster = plan.roles.some(({ actions }) =>
    actions.some(({ kind }) => kind === 'clusterArrive'),
  );
  const cluster = usesCluster ? barrier('barrier.cluster', { count: plan.roles.length }).id : -1;
  const buffers = new PieceBuffers(run, names);
  // All buffers are declared before the roles run, in the same order in each instance.
  const touched = new Map<Action, Touched>();
  for (const { actions } of plan.roles)
    for (const action of actions) touched.set(action, touch(action, buffers));
  const player: Player = { plan, barriers, cluster, touched, placeOf: (at) => positionOf(run, at) };
  return plan.roles.map(({ name, cta, actions }) =>
    role(name, { cta, lanes: WARP }, function* () {
      yield* play(player, cta, actions);
    }),
  );
}

function positionOf(run: ReferenceRun, at: number): Position {
  const { file, line, column } = run.places(at);
  return { file, line, column };
}

/** A buffer in a CTA. */
interface Place {
  readonly id: number;
  readonly rank: number;
}

/** Buffers that an action reads and writes. */
interface Touched {
  readonly reads: readonly Place[];
  readonly writes: readonly Place[];
}

/** The declarations of buffers, each once. */
function ids(places: readonly Place[]): number[] {
  return [...new Set(places.map(({ id }) => id))];
}

const UNTOUCHED: Touched = { reads: [], writes: [] };

function touch(action: Action, buffers: PieceBuffers): Touched {
  if (action.kind !== 'access' && action.kind !== 'use' && action.kind !== 'copy') return UNTOUCHED;
  const places = ({ sets, agent }: Uses): Place[] => {
    const pieces = new Set(sets.flatMap((set) => set.pieces));
    return [...pieces].flatMap((piece) =>
      buffers.of(piece, agent).map((id) => ({ id, rank: rankOf(piece.address) })),
    );
  };
  const writes = places(action.writes);
  const isWritten = (place: Place): boolean =>
    writes.some(({ id, rank }) => id === place.id && rank === place.rank);
  const reads = places(action.reads);
  // A write includes the read, except for asynchronous work, whose reads and writes are both named.
  return {
    reads: action.kind === 'access' ? reads.filter((place) => !isWritten(place)) : reads,
    writes,
  };
}

/** What all roles share while they perform their actions. */
interface Player {
  readonly plan: Plan;
  readonly barriers: readonly number[];
  readonly cluster: number;
  readonly touched: ReadonlyMap<Action, Touched>;
  readonly placeOf: (at: number) => Position;
}

/** CTAs of a target; none stands for the role's own. */
function reach(rank: number, own: number): readonly number[] {
  return rank === own ? [] : [rank];
}

function* play(
  player: Player,
  own: number,
  actions: readonly Action[],
): Generator<Op, void, number> {
  const { barriers, cluster, placeOf, plan } = player;
  let rounds = 0;
  for (const action of actions) {
    const context = currentRole('yield*');
    const place = context.capture ? placeOf(action.at) : undefined;
    const issue = (op: Op): void => post(op, place);
    const block = function* (op: Op): Generator<Op, void, number> {
      if (context.capture) context.yieldedAt = place;
      yield op;
    };
    switch (action.kind) {
      case 'init':
        issue(makeOp(OpKind.init, { barrier: barriers[action.barrier]!, arrivals: action.count }));
        break;
      case 'invalidate':
        issue(makeOp(OpKind.invalidate, { barrier: barriers[action.barrier]! }));
        break;
      case 'arrive':
        issue(
          makeOp(OpKind.arrive, {
            barrier: barriers[action.barrier]!,
            ctas: reach(action.rank, own),
            arrivals: action.arrivals,
            lanes: 1,
            bytes: action.bytes,
          }),
        );
        break;
      case 'drop':
        issue(
          makeOp(OpKind.arriveDrop, {
            barrier: barriers[action.barrier]!,
            arrivals: action.arrivals,
          }),
        );
        break;
      case 'expect':
      case 'complete': {
        const bytes = {
          barrier: barriers[action.barrier]!,
          bytes: action.bytes,
          ctas: reach(action.rank, own),
        };
        issue(
          action.kind === 'expect'
            ? makeOp(OpKind.expectTx, bytes)
            : makeOp(OpKind.completeTx, bytes),
        );
        break;
      }
      case 'wait':
        yield* block(
          makeOp(OpKind.waitParity, { barrier: barriers[action.barrier]!, parity: action.parity }),
        );
        break;
      case 'copy':
        issueCopy(player, own, action, issue);
        break;
      case 'use':
        issue(
          makeOp(OpKind.asyncUse, {
            unit: UNIT_OF[action.unit],
            ctas: ranksOf(action, own),
            reads: ids(player.touched.get(action)!.reads),
            writes: ids(player.touched.get(action)!.writes),
            closesGroup: false,
            cycles: 0,
            work: null,
          }),
        );
        break;
      case 'commit': {
        const isOwn = action.ranks.length === 1 && action.ranks[0] === own;
        const target = { barrier: barriers[action.barrier]!, ctas: isOwn ? [] : action.ranks };
        issue(makeOp(OpKind.commit, { unit: UNIT_OF[action.unit], ...target }));
        break;
      }
      case 'commitGroup':
        issue(makeOp(OpKind.commit, { unit: UNIT_OF[action.unit], barrier: null, ctas: [] }));
        break;
      case 'waitGroup':
        yield* block(
          makeOp(OpKind.waitGroup, { unit: UNIT_OF[action.unit], inFlight: action.pending }),
        );
        break;
      case 'named': {
        const gathering = { named: action.id, threads: action.threads, lanes: WARP };
        if (action.isSync) yield* block(makeOp(OpKind.syncNamed, gathering));
        else issue(makeOp(OpKind.arriveNamed, gathering));
        break;
      }
      case 'clusterArrive': {
        const ctas = Array.from({ length: plan.ctas }, (_, rank) => rank);
        issue(makeOp(OpKind.arrive, { barrier: cluster, ctas, arrivals: 1, lanes: 1, bytes: 0 }));
        break;
      }
      case 'clusterWait':
        yield* block(makeOp(OpKind.waitParity, { barrier: cluster, parity: rounds++ & 1 }));
        break;
      case 'access': {
        const { reads, writes } = player.touched.get(action)!;
        const ctaOf = (rank: number): number | null => (rank === own ? null : rank);
        for (const { id, rank } of reads)
          issue(makeOp(OpKind.read, { buffer: id, cta: ctaOf(rank) }));
        for (const { id, rank } of writes)
          issue(makeOp(OpKind.write, { buffer: id, cta: ctaOf(rank) }));
        break;
      }
    }
  }
}

/** CTAs in which asynchronous work reads and writes; none stands for the role's own. */
function ranksOf(
  { reads, writes }: { readonly reads: Uses; readonly writes: Uses },
  own: number,
): readonly number[] {
  const ranks = new Set<number>();
  const add = (ranges: Ranges): void => {
    for (let index = 0; index < ranges.length; index += 2) ranks.add(rankOf(ranges[index]!));
  };
  for (const { ranges } of [...reads.sets, ...writes.sets]) add(ranges);
  return ranks.size === 0 || (ranks.size === 1 && ranks.has(own)) ? [] : [...ranks];
}

function issueCopy(
  player: Player,
  own: number,
  action: Extract<Action, { kind: 'copy' }>,
  issue: (op: Op) => void,
): void {
  const { writes } = player.touched.get(action)!;
  const isOwn = action.ranks.length === 1 && action.ranks[0] === own && !action.isPair;
  issue(
    makeOp(OpKind.asyncCopy, {
      unit: action.unit === 'cpAsync' ? UNIT_OF.cpAsync : UNITS.tma,
      barrier: player.barriers[action.barrier]!,
      bytes: action.bytes,
      writes: ids(writes),
      ctas: isOwn ? [] : action.ranks,
      cell: null,
      value: 0,
      ctaGroup: action.isPair ? 2 : 1,
      work: null,
    }),
  );
}
