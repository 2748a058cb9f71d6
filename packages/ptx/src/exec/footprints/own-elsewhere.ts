// Clusters of a class whose own threads meet in global memory, where those of the cluster that was
// executed do not: their addresses move apart from one another.
import { areNear, hullIn } from './buckets.ts';
import { isOrderedBetween, mayNotMeet } from './groups.ts';
import type { Group } from './groups.ts';
import { meetingIn, SpanTable } from './meeting.ts';
import type { AllTouches } from './placed-others.ts';
import { TooMuchMemory } from './too-much.ts';
import type { Touch } from '../../steps/touches.ts';
import { LANES } from '../../values/register-file.ts';

/** What threads of a cluster touch, by thread. */
function addLanes(
  table: SpanTable,
  { placer }: AllTouches,
  touch: Touch,
  cluster: number,
  shift: number | null,
): void {
  const { isWrite, warp, isCopy } = touch;
  const isOrdered = isOrderedBetween(touch);
  placer.lanesIn(touch, cluster, shift, (lane, from, bytes) => {
    // A copy is over later than what its thread does next.
    const by = isCopy === true ? -1 - table.length : warp * LANES + lane;
    table.add({ from, to: from + bytes, by, isWrite, isOrdered });
  });
}

/** The clusters whose threads meet where those of the executed one of their class do not. */
export function* ownElsewhere(all: AllTouches): Generator<number> {
  const found = new Set<number>();
  for (const [index, { groups, others }] of all.grouped.entries()) {
    const { number, cluster: executed } = all.classes[index]!;
    const clusters: number[] = [];
    for (const cluster of all.grid.places.keys())
      if (cluster !== executed && all.grid.classOf(cluster) === number) clusters.push(cluster);
    if (clusters.length === 0) continue;
    for (const [at, group] of groups.entries())
      for (const other of groups.slice(at + 1))
        for (const cluster of betweenGroups(all, group, other, clusters)) found.add(cluster);
    const own = others.filter((touch) => all.near.has(touch));
    if (
      own.some(({ isWrite }) => isWrite) ||
      (own.length > 0 && groups.some((each) => each.isWrite))
    )
      for (const cluster of amongOthers(all, own, groups, clusters)) found.add(cluster);
  }
  yield* found;
}

/** Clusters in which two groups meet that lie further from each other in the executed one. */
function* betweenGroups(
  all: AllTouches,
  group: Group,
  other: Group,
  clusters: readonly number[],
): Generator<number> {
  if (group.shifts === other.shifts || !mayNotMeet(group, other)) return;
  const { buckets } = all;
  const [hull, far] = [hullIn(group, buckets.of(group)), hullIn(other, buckets.of(other))];
  if (!areNear(hull, far)) return;
  const distanceIn = (cluster: number): number => other.shifts[cluster]! - group.shifts[cluster]!;
  const usual = distanceIn(group.of.cluster);
  const doMeet = new Map<number, boolean>([[usual, false]]);
  for (const cluster of clusters) {
    const distance = distanceIn(cluster);
    let isMet = doMeet.get(distance);
    if (isMet === undefined) {
      isMet = group.bytes.meetsShifted(other.bytes, distance);
      doMeet.set(distance, isMet);
    }
    if (isMet && threadsMeet(all, [group, other], cluster)) yield cluster;
  }
}

/** Whether different threads of a cluster meet in what groups touch. */
function threadsMeet(all: AllTouches, groups: readonly Group[], cluster: number): boolean {
  const table = new SpanTable();
  for (const group of groups) addGroup(table, all, group, cluster);
  return meetingIn(table).includes(1);
}

function addGroup(table: SpanTable, all: AllTouches, group: Group, cluster: number): void {
  const shift = group.shifts[cluster]! - group.shifts[group.of.cluster]!;
  for (const touch of group.touches) addLanes(table, all, touch, cluster, shift);
}

/** Clusters in which touches with computed addresses meet, or meet a group. */
function* amongOthers(
  all: AllTouches,
  own: readonly Touch[],
  groups: readonly Group[],
  clusters: readonly number[],
): Generator<number> {
  const table = new SpanTable();
  const near = groups.filter(
    (group) => group.isWrite || own.some(({ isWrite }) => isWrite && group.touches.length > 0),
  );
  for (const cluster of clusters) {
    table.length = 0;
    for (const touch of own) addLanes(table, all, touch, cluster, null);
    if (all.placer.isOver) throw new TooMuchMemory();
    const hull = hullOfTable(table);
    for (const group of near) {
      const shift = group.shifts[cluster]!;
      const reach = [group.bytes.least + shift, group.bytes.end + shift] as const;
      if (areNear(hull, reach)) addGroup(table, all, group, cluster);
    }
    if (table.length > 1 && meetingIn(table).includes(1)) yield cluster;
  }
}

function hullOfTable(table: SpanTable): readonly [number, number] {
  let [least, end] = [Infinity, -Infinity];
  for (let index = 0; index < table.length; index++) {
    least = Math.min(least, table.from(index));
    end = Math.max(end, table.to(index));
  }
  return [least, end];
}
