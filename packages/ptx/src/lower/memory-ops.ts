// Actions that touch memory as operations: accesses of threads, copies, work of asynchronous units.
import { makeOp, OpKind, UNITS } from '@poundlock/core/internal/op';
import type { BufferPlace } from './buffers.ts';
import { idsOf, ranksOf, reach, UNIT_OF } from './player.ts';
import type { Uses } from './plan.ts';
import type { OpsOf, Player } from './player.ts';

/** An access that may not happen. */
function may<T>(access: T): T & { readonly isPossible: true } {
  return { ...access, isPossible: true };
}

/** Accesses of the threads themselves. */
export const ACCESS_OPS: OpsOf<
  'access' | 'map' | 'touchPool' | 'relinquishPool' | 'allocatePool' | 'add'
> = {
  access: ({ buffers, bufferIds, isStore }, action, own) => {
    const { reads, writes } = buffers.of(action);
    // A store into what the kernel before writes is compared as a read.
    const stores = isStore(action.at);
    const target = ({ buffer: index, rank, isOfStore = stores }: BufferPlace) => ({
      buffer: bufferIds[index]!,
      cta: rank === own ? null : rank,
      ...(isOfStore && { isOfStore }),
    });
    return [
      ...reads.map((place) =>
        makeOp(OpKind.read, action.isPossible === true ? may(target(place)) : target(place)),
      ),
      ...writes.map((place) => makeOp(OpKind.write, target(place))),
    ];
  },
  touchPool: ({ columns }) => [makeOp(OpKind.read, { buffer: columns!.buffers[0]!.id, cta: null })],
  relinquishPool: ({ columns }) => [makeOp(OpKind.relinquish, { pool: columns!.id })],
  allocatePool: ({ columns }, { columns: units }) => [
    makeOp(OpKind.alloc, { pool: columns!.id, units }),
  ],
  map: ({ mapIds }, { read, written }) => [
    ...read.map((part) => makeOp(OpKind.read, { buffer: mapIds[part]!, cta: null })),
    ...written.map((part) => makeOp(OpKind.write, { buffer: mapIds[part]!, cta: null })),
  ],
  add: ({ cells }, { cell, amount, order }) => [
    makeOp(OpKind.fetchAdd, { cell: cells[cell]!, amount, order }),
  ],
};

/** What a copy that writes no memory of the cluster leaves out. */
const INTO_NOTHING = { writes: [], ctas: [], cell: null, value: 0, ctaGroup: 1, work: null };

/** Work of asynchronous units. */
export const WORK_OPS: OpsOf<
  'copy' | 'store' | 'prefetch' | 'use' | 'commit' | 'commitGroup' | 'waitGroup'
> = {
  copy: (player, action, own) => {
    const { reads, writes } = player.buffers.of(action);
    const { isPair, ranks, bytes } = action;
    return [
      makeOp(OpKind.asyncCopy, {
        unit: player.copierOf(action.at),
        barrier: player.barriers[action.barrier]!,
        bytes,
        reads: idsOf(player, reads),
        writes: idsOf(player, writes),
        map: mapOf(player, action),
        ctas: isPair ? ranks : reach(ranks, own),
        cell: null,
        value: 0,
        ctaGroup: isPair ? 2 : 1,
        work: null,
      }),
    ];
  },
  store: (player, action) => {
    const { reads, writes } = player.buffers.of(action);
    return [
      makeOp(OpKind.asyncCopy, {
        unit: UNITS.bulk,
        barrier: null,
        bytes: player.isTimed ? bytesOf(action.reads) : 0,
        reads: idsOf(player, reads),
        map: mapOf(player, action),
        ...INTO_NOTHING,
        writes: idsOf(player, writes),
      }),
    ];
  },
  prefetch: (player, action) => [
    makeOp(OpKind.asyncCopy, {
      unit: UNIT_OF.prefetch,
      barrier: null,
      bytes: 0,
      map: mapOf(player, action),
      closesGroup: true,
      ...INTO_NOTHING,
    }),
  ],
  use: (player, action, own) => {
    const { reads, writes } = player.buffers.of(action);
    const unit = UNIT_OF[action.unit];
    if (player.isTimed && action.unit === 'cpAsync')
      return [
        makeOp(OpKind.asyncCopy, {
          unit,
          barrier: null,
          bytes: bytesOf(action.writes),
          reads: [],
          map: null,
          ...INTO_NOTHING,
          writes: idsOf(player, writes),
        }),
      ];
    return [
      makeOp(OpKind.asyncUse, {
        unit,
        ctas: reach(ranksOf(action), own),
        reads: idsOf(player, reads),
        writes: idsOf(player, writes),
        closesGroup: unit.groups === 'each',
        cycles: player.cyclesOf(action.at),
        work: null,
      }),
    ];
  },
  commit: ({ barriers }, { unit, barrier, ranks, adds }, own) => [
    makeOp(OpKind.commit, {
      unit: UNIT_OF[unit],
      barrier: barriers[barrier]!,
      ctas: reach(ranks, own),
      adds,
    }),
  ],
  commitGroup: (_player, { unit }) => [
    makeOp(OpKind.commit, { unit: UNIT_OF[unit], barrier: null, ctas: [] }),
  ],
  waitGroup: (_player, { unit, pending: inFlight, isRead }) => [
    makeOp(OpKind.waitGroup, { unit: UNIT_OF[unit], inFlight, isRead }),
  ],
};

/** Bytes of an access. */
function bytesOf({ sets }: Uses): number {
  let bytes = 0;
  for (const { ranges } of sets)
    for (let index = 0; index < ranges.length; index += 2)
      bytes += ranges[index + 1]! - ranges[index]!;
  return bytes;
}

/** The tensor map of a copy, if it is one that changes. */
function mapOf({ mapIds }: Player, { map }: { readonly map: number | null }): number | null {
  return map === null ? null : mapIds[map]!;
}
