// What classes of clusters touch in global memory, grouped by how it moves from cluster to cluster.
import { OPAQUE } from '../../values/origin.ts';
import type { Box, Origin } from '../../values/origin.ts';
import { STILL } from '../../values/reach.ts';
import type { Moves } from '../../values/reach.ts';
import { Bounds } from '../origins/bounds.ts';
import type { Work } from '../origins/work.ts';
import { ByteSet } from './byte-set.ts';
import { hullOf } from './misplaced.ts';
import type { Shifts } from './shifts.ts';
import { rangesOf } from './touches.ts';
import type { BoxTouch, NotedTouches, Touch } from '../../steps/touches.ts';

/** Touches of the clusters of a class. */
export interface ClassTouches {
  /** The number of the class, from 1. */
  readonly number: number;
  /** The cluster that was executed. */
  readonly cluster: number;
  /** What its runs touch. */
  readonly runs: readonly NotedTouches[];
}

/** Touches of one kind that move alike: in each cluster they are as far from where they were. */
export interface Group {
  readonly of: ClassTouches;
  readonly isWrite: boolean;
  readonly isOrdered: boolean;
  readonly touches: readonly Touch[];
  /** The predicate by which each cluster makes them, or not; all of them do where it is `null`. */
  readonly guard: Touch['guard'];
  /** How the addresses move, and so how far each cluster is from the first one. */
  readonly moves: Moves;
  readonly shifts: Float64Array;
  /** Their bytes, less the shift of the cluster that was executed. */
  readonly bytes: ByteSet;
}

/** All that a class touches. */
export interface Grouped {
  readonly groups: readonly Group[];
  /** Touches whose addresses have to be computed in each cluster. */
  readonly others: readonly Touch[];
  /** From which to which byte each of these may reach; `null`: that is not known. */
  readonly hulls: ReadonlyMap<Touch, readonly [number, number] | null>;
}

/**
 * A touch of which nothing is known in other clusters; `undefined`: there is none. What the
 * clusters of other classes write is not known yet: only the cluster that was executed has its
 * address.
 */
export function ownTouch(runs: readonly NotedTouches[]): Touch | BoxTouch | undefined {
  const touch = runs.flatMap(({ list }) => list).find(({ origin }) => origin === OPAQUE);
  return touch ?? runs.flatMap(({ boxes }) => boxes).find((box) => box.origins.includes(OPAQUE));
}

/** Groups what a class touches. */
export function grouped(of: ClassTouches, box: Box, shifts: Shifts, work: Work): Grouped {
  const touches = of.runs.flatMap(({ dense }) => dense);
  const origins = touches.flatMap(({ origin, lanes }) =>
    origin === null || origin === OPAQUE ? [] : [{ origin, lanes }],
  );
  const bounds = new Bounds(origins, box, { hasMovers: true, work });
  const others: Touch[] = [];
  const hulls = new Map<Touch, readonly [number, number] | null>();
  const alike = new Map<Origin | null, Map<string, { readonly moves: Moves; touches: Touch[] }>>();
  for (const touch of touches) {
    const { origin, isWrite, guard } = touch;
    // A class with an opaque address has one cluster.
    const isStill = origin === null || origin === OPAQUE;
    const reach = isStill ? null : bounds.of(origin);
    const moves = isStill ? STILL : (reach?.moves ?? null);
    if (moves === null) {
      others.push(touch);
      hulls.set(touch, hullOf(touch, reach));
      continue;
    }
    const byGuard = alike.get(guard?.guard ?? null) ?? new Map();
    alike.set(guard?.guard ?? null, byGuard);
    const kind = `${isWrite} ${isOrderedBetween(touch)}`;
    const name = `${kind} ${guard?.isNegated} ${shifts.nameOf(moves)}`;
    const known = byGuard.get(name) ?? { moves, touches: [] };
    byGuard.set(name, known);
    known.touches.push(touch);
  }
  const groups = [...alike.values()].flatMap((byName) =>
    [...byName.values()].flatMap((each) => {
      const own = shifts.of(each.moves);
      return apart(each.touches, own).map((touches) => groupOf(of, touches, each.moves, own));
    }),
  );
  return { groups, others, hulls };
}

/** Into how many parts touches are put at most, and which share of the shifts lies between two. */
const MAX_PARTS = 16;
const SHARE = 64;

/** Touches in parts that lie far from each other, lest one of them spans several buffers. */
function apart(touches: readonly Touch[], shifts: Float64Array): Touch[][] {
  let [least, most] = [Infinity, -Infinity];
  for (const shift of shifts) {
    least = Math.min(least, shift);
    most = Math.max(most, shift);
  }
  const sorted = touches
    .map((touch) => {
      const ranges = rangesOf(touch);
      const from = ranges.reduce((first, each) => Math.min(first, each), Infinity);
      return { touch, from, to: ranges.reduce((last, each) => Math.max(last, each), -Infinity) };
    })
    .sort((one, other) => one.from - other.from);
  for (const gap of [(most - least) / SHARE, most - least]) {
    const parts: Touch[][] = [];
    let end = -Infinity;
    for (const { touch, from, to } of sorted) {
      if (parts.length === 0 || from - end > gap) parts.push([]);
      parts.at(-1)!.push(touch);
      end = Math.max(end, to);
    }
    if (parts.length <= MAX_PARTS) return parts;
  }
  return [[...touches]];
}

function groupOf(
  of: ClassTouches,
  touches: readonly Touch[],
  moves: Moves,
  shifts: Float64Array,
): Group {
  const own = shifts[of.cluster]!;
  const { isWrite, guard } = touches[0]!;
  const bytes = new ByteSet(touches.flatMap((each) => rangesOf(each)).map((end) => end - own));
  const isOrdered = isOrderedBetween(touches[0]!);
  return { of, isWrite, isOrdered, touches, guard, moves, shifts, bytes };
}

/** Whether a touch does not race with such touches of other clusters. */
export function isOrderedBetween({ kind, reach }: Pick<Touch, 'kind' | 'reach'>): boolean {
  return kind !== 'plain' && reach === undefined;
}

/** Whether two kinds of accesses must not meet. */
export function mayNotMeet(
  one: Pick<Group, 'isWrite' | 'isOrdered'>,
  other: Pick<Group, 'isWrite' | 'isOrdered'>,
): boolean {
  return (one.isWrite || other.isWrite) && !(one.isOrdered && other.isOrdered);
}
