// Global memory that two clusters of a grid touch, one of them to write (theorem B2). Nothing
// orders clusters that wait for no word, so that each such pair is a race, unless both store the
// same.
import type { Dimensions, Launch } from '../../launch/launch.ts';
import type { Box, Place } from '../../values/origin.ts';
import { Work } from '../origins/cover.ts';
import { meetingBoxes } from './boxes.ts';
import type { PlacedBox } from './boxes.ts';
import { ByteSet } from './byte-set.ts';
import { grouped, isOrderedBetween, mayNotMeet } from './groups.ts';
import type { ClassTouches, Group, Grouped } from './groups.ts';
import { meeting } from './meeting.ts';
import type { Span } from './meeting.ts';
import { TouchPlacer } from './placed-touch.ts';
import { allPlaces, Shifts } from './shifts.ts';
import { TooMuchMemory, ValuesNeeded } from './too-much.ts';
import { rangesOf } from './touches.ts';
import type { Touch } from '../../steps/touches.ts';

/** Clusters with the same shift. */
interface Bucket {
  readonly shift: number;
  readonly clusters: readonly number[];
}

/** A touch of a cluster, and the group that it is of; `null`: it is of none. */
export interface Placed {
  readonly touch: Touch;
  readonly cluster: number;
  readonly group: Group | null;
}

/** Who takes part in a meeting. */
export interface Party {
  readonly at: number;
  readonly cluster: number;
  readonly isWrite: boolean;
  /** Whether data decides if it does. */
  readonly isPossible: boolean;
}

/** Two touches of different clusters that meet. */
export interface BlockMeeting {
  readonly one: Party;
  readonly other: Party;
  /** The first byte that they have in common, or the key of the tensor map of their boxes. */
  readonly where: number | string;
  /** The touches; `null` of boxes. */
  readonly touches: readonly [Placed, Placed] | null;
}

function partyOf({ touch, cluster }: Placed): Party {
  const { at, isWrite, isPossible } = touch;
  return { at, cluster, isWrite, isPossible };
}

function boxPartyOf({ touch, by: cluster }: PlacedBox): Party {
  const { at, effect, isPossible } = touch;
  return { at, cluster, isWrite: effect.isWrite, isPossible };
}

/** The most values that are computed, pairs that are looked at, and spans that are sorted. */
const MAX_WORK = 10_000_000;
const MAX_PAIRS = 5_000_000;
const MAX_SPANS = 2_000_000;

/** A touch in a cluster, which has to be looked at by itself. */
interface PlacedSpan extends Span {
  readonly touch: Touch;
  readonly group: Group | null;
}

function placedOf({ touch, group, by: cluster }: PlacedSpan): Placed {
  return { touch, group, cluster };
}

/** The bytes of a buffer; `null`: they are not known. */
type Buffer = readonly [from: number, to: number] | null;

/** The buffer that an address lies in. */
export type BufferOf = (address: number) => Buffer;

/** A cluster that touches memory where it may not. */
export interface Misplaced {
  readonly cluster: number;
  /** Whether no more than one cluster of its class is within the buffer. */
  readonly isOfOne: boolean;
}

function isOdd(ranges: readonly number[], { unit }: Touch): boolean {
  return ranges.some((each, index) => index % 2 === 0 && each % unit !== 0);
}

function isBeyond(ranges: readonly number[], buffer: Buffer): boolean {
  return buffer !== null && ranges.some((each) => each < buffer[0] || each > buffer[1]);
}

/** What the clusters of a grid touch, by their classes. */
export class BlockFootprints {
  readonly #launch: Launch;
  readonly #places: readonly Place[];
  readonly #classOf: (cluster: number) => number;
  readonly #classes: readonly ClassTouches[];
  readonly #work = new Work(MAX_WORK);
  readonly #shifts: Shifts;
  readonly #placer: TouchPlacer;
  readonly #grouped: readonly Grouped[];
  readonly #buckets = new Map<Group, readonly Bucket[]>();
  readonly #same: (readonly [Placed, Placed])[] = [];
  #pairs = 0;

  constructor(
    launch: Launch,
    across: Dimensions,
    classes: readonly ClassTouches[],
    classOf: (cluster: number) => number,
  ) {
    this.#launch = launch;
    this.#places = allPlaces(across);
    this.#classes = classes;
    this.#classOf = classOf;
    this.#shifts = new Shifts(this.#places, this.#work);
    const [x, y, z] = across;
    const box: Box = { from: [0, 0, 0], to: [x - 1, y - 1, z - 1] };
    this.#grouped = classes.map((each) => grouped(each, box, this.#shifts));
    const together = this.#grouped.map(({ others }) => others);
    this.#placer = new TouchPlacer(this.#work, this.#places, together);
  }

  /**
   * Clusters that touch memory beyond its buffers, or where it is no multiple of its unit.
   *
   * @param bufferOf The bytes of the buffer that an address lies in; `null`: they are not known.
   * @throws TooMuchMemory
   */
  *misplaced(bufferOf: BufferOf): Generator<Misplaced> {
    const done = new Set<number>();
    for (const { groups, others } of this.#grouped) {
      const touches = [
        ...groups.flatMap((group) => group.touches.map((touch) => ({ touch, group }))),
        ...others.map((touch) => ({ touch, group: null })),
      ];
      for (const { touch, group } of touches) {
        const found = this.#misplacedIn(touch, group, bufferOf);
        if (found === null || done.has(found.cluster)) continue;
        done.add(found.cluster);
        yield found;
      }
    }
  }

  /** The first cluster in which a touch is misplaced; `null`: none. */
  #misplacedIn(touch: Touch, group: Group | null, bufferOf: BufferOf): Misplaced | null {
    const own = rangesOf(touch);
    const buffer = bufferOf(Math.min(...own));
    let misplaced: number | null = null;
    let within = 0;
    for (const cluster of this.#clustersNear(touch, group, buffer)) {
      this.#count();
      const ranges = this.#rangesOf({ touch, cluster, group }) ?? [];
      if (ranges.length === 0) continue;
      if (isOdd(ranges, touch)) return { cluster, isOfOne: false };
      if (!isBeyond(ranges, buffer)) within++;
      else misplaced ??= cluster;
      if (misplaced !== null && within > 1) break;
    }
    return misplaced === null ? null : { cluster: misplaced, isOfOne: within < 2 };
  }

  /** The clusters that make a touch; none where it is clear that all of them do so in its place. */
  *#clustersNear(touch: Touch, group: Group | null, buffer: Buffer): Generator<number> {
    if (group === null) {
      const index = this.#grouped.findIndex(({ others }) => others.includes(touch));
      const { number } = this.#classes[index]!;
      for (const cluster of this.#places.keys())
        if (this.#classOf(cluster) === number) yield cluster;
      return;
    }
    const buckets = this.#sortedOf(group);
    const own = group.shifts[group.of.cluster]!;
    const ends = [...rangesOf(touch)];
    const [least, end] = [Math.min(...ends), Math.max(...ends)];
    const first = (buckets[0]?.shift ?? own) - own;
    const last = (buckets.at(-1)?.shift ?? own) - own;
    const isWithin = buffer === null || (least + first >= buffer[0] && end + last <= buffer[1]);
    const isEven = buckets.every(({ shift }) => (shift - own) % touch.unit === 0);
    if (!isWithin || !isEven) for (const { clusters } of buckets) yield* clusters;
  }

  /**
   * All pairs of touches that meet, unless they are known to store the same.
   *
   * @throws TooMuchMemory
   */
  *meetings(): Generator<BlockMeeting> {
    const groups = this.#grouped.flatMap((each) => each.groups);
    for (const [index, group] of groups.entries())
      for (const other of groups.slice(index))
        if (mayNotMeet(group, other) && this.#mayReach(group, other))
          yield* this.#between(group, other);
    yield* this.#ofOthers(groups);
    yield* this.#ofBoxes();
  }

  /** Meetings of boxes of tensors, for each two instructions the first one. */
  *#ofBoxes(): Generator<BlockMeeting> {
    const boxes: PlacedBox[] = [];
    const seen = new Set<string>();
    for (const { number, runs } of this.#classes)
      for (const touch of runs.flatMap((run) => run.boxes)) {
        const { map } = touch;
        if (map === null || touch.corner === null || !this.#isWritten(map)) continue;
        for (const cluster of this.#places.keys()) {
          if (this.#classOf(cluster) !== number) continue;
          const corner = this.#placer.cornerIn(touch, cluster);
          this.#require();
          if (corner === null) continue;
          const key = `${touch.at} ${cluster} ${corner.join()}`;
          if (!seen.has(key)) boxes.push({ touch, map, corner, by: cluster });
          seen.add(key);
        }
      }
    const found = new Set<string>();
    for (const [one, other] of meetingBoxes(boxes, this.#launch, () => this.#count())) {
      const key = `${one.touch.at} ${other.touch.at}`;
      if (found.has(key)) continue;
      found.add(key);
      yield { one: boxPartyOf(one), other: boxPartyOf(other), where: one.map, touches: null };
    }
  }

  /** Whether some copy writes boxes through a map. */
  #isWritten(map: string): boolean {
    return this.#classes.some(({ runs }) =>
      runs.some(({ boxes }) => boxes.some((box) => box.map === map && box.effect.isWrite)),
    );
  }

  /** Whether the clusters of two groups come near each other at all. */
  #mayReach(one: Group, other: Group): boolean {
    const [first, last] = this.#hullOf(one);
    const [least, end] = this.#hullOf(other);
    return first < end && least < last;
  }

  /** The bytes from the first to the last one of all clusters of a group. */
  #hullOf(group: Group): readonly [number, number] {
    const sorted = this.#sortedOf(group);
    const { bytes } = group;
    if (sorted.length === 0) return [Infinity, -Infinity];
    return [bytes.least + sorted[0]!.shift, bytes.end + sorted.at(-1)!.shift];
  }

  /** The clusters that make the touches of a group, by their shifts. */
  #sortedOf(group: Group): readonly Bucket[] {
    let buckets = this.#buckets.get(group);
    if (buckets === undefined) {
      const { shifts, of, guard } = group;
      const makes = (cluster: number): boolean =>
        guard === null || this.#placer.holds(guard, cluster);
      const own = [...this.#places.keys()].filter((each) => this.#classOf(each) === of.number);
      const byShift = Map.groupBy(own.filter(makes), (each) => shifts[each]!);
      buckets = [...byShift]
        .map(([shift, clusters]) => ({ shift, clusters }))
        .sort((one, two) => one.shift - two.shift);
      this.#buckets.set(group, buckets);
      this.#require();
    }
    return buckets;
  }

  #require(): void {
    if (this.#work.isOver) throw new TooMuchMemory();
  }

  /** Meetings of two groups: those of clusters that are near enough. */
  *#between(group: Group, other: Group): Generator<BlockMeeting> {
    const own = this.#sortedOf(group);
    const others = this.#sortedOf(other);
    const nearest = group.bytes.least - other.bytes.end;
    const furthest = group.bytes.end - other.bytes.least;
    const doMeet = new Map<number, boolean>();
    let begin = 0;
    for (const [at, one] of own.entries()) {
      const distanceOf = (two: Bucket): number => two.shift - one.shift;
      while (begin < others.length && distanceOf(others[begin]!) <= nearest) begin++;
      const first = group === other ? Math.max(at, begin) : begin;
      for (let index = first; index < others.length; index++) {
        const two = others[index]!;
        const distance = distanceOf(two);
        if (distance >= furthest) break;
        this.#count();
        let isMet = doMeet.get(distance);
        if (isMet === undefined) {
          isMet = group.bytes.meetsShifted(other.bytes, distance);
          doMeet.set(distance, isMet);
        }
        if (isMet) yield* this.#ofBuckets(group, one, other, two);
      }
    }
  }

  #count(): void {
    if (++this.#pairs > MAX_PAIRS) throw new TooMuchMemory();
  }

  /** Meetings of clusters that each make the same touches at the same places. */
  *#ofBuckets(group: Group, one: Bucket, other: Group, two: Bucket): Generator<BlockMeeting> {
    const isSame = group === other && one === two;
    const isEach = group.guard !== null || other.guard !== null;
    for (const [index, first] of one.clusters.entries())
      for (const [at, second] of two.clusters.entries()) {
        // Clusters that make the same are alike: those that store what the first one does are, too.
        const isAlike = !isEach && index > 0 && at > (isSame ? 1 : 0);
        if (first === second || (isSame && at < index) || isAlike) continue;
        this.#count();
        yield* this.#ofClusters(group, first, other, second);
      }
  }

  /** Touches of two clusters that meet. */
  *#ofClusters(group: Group, one: number, other: Group, two: number): Generator<BlockMeeting> {
    const far = this.#near(other, two, group, one);
    for (const touch of this.#near(group, one, other, two))
      for (const second of far) {
        const found = this.#meeting(
          { touch, cluster: one, group },
          { touch: second, cluster: two, group: other },
        );
        if (found !== null) yield found;
      }
  }

  /** Two touches that meet; `null`: they do not, or they are known to store the same. */
  #meeting(one: Placed, other: Placed): BlockMeeting | null {
    const [first, last] = [this.#rangesOf(one), this.#rangesOf(other)];
    if (first === null || last === null) return null;
    const bytes = new ByteSet(first);
    const common: number[] = [];
    for (let index = 0; index < last.length; index += 2)
      if (bytes.meets(last[index]!, last[index + 1]!)) common.push(last[index]!, last[index + 1]!);
    if (common.length === 0) return null;
    const isSame = first.join() === last.join() && this.#storeSame(one, other);
    if (isSame) return null;
    const where = Math.min(...common);
    return { one: partyOf(one), other: partyOf(other), where, touches: [one, other] };
  }

  /** Whether two touches store the same, because they do so in clusters where that was seen. */
  #storeSame(one: Placed, other: Placed): boolean {
    const stored = [one, other].map(({ touch }) => touch.stored);
    if (stored.includes(null)) return false;
    if (stored.some((each) => each!.isLeftOut)) throw new ValuesNeeded();
    const placer = this.#placer;
    const fixed = one.touch.stored?.fixed ?? null;
    if (fixed !== null && fixed === other.touch.stored?.fixed) return true;
    return this.#same.some(([first, second]) => {
      if (first.touch !== one.touch || second.touch !== other.touch) return false;
      if (one.touch === other.touch && placer.storesSame(one, other)) return true;
      return placer.storesSame(one, first) && placer.storesSame(other, second);
    });
  }

  /** The touches of a meeting were seen to store the same. */
  storesSame({ touches }: BlockMeeting): void {
    if (touches !== null) this.#same.push(touches);
  }

  /** The touches of a group in a cluster that come near another group in another cluster. */
  #near(group: Group, cluster: number, other: Group, two: number): readonly Touch[] {
    const distance = group.shifts[cluster]! - other.shifts[two]! - group.shifts[group.of.cluster]!;
    return group.touches.filter((touch) => {
      const ranges = rangesOf(touch);
      return ranges.some(
        (from, index) =>
          index % 2 === 0 && other.bytes.meets(from + distance, ranges[index + 1]! + distance),
      );
    });
  }

  #rangesOf({ touch, cluster, group }: Placed): number[] | null {
    if (group === null) return this.#othersIn(cluster).get(touch) ?? null;
    const shift = group.shifts[cluster]! - group.shifts[group.of.cluster]!;
    const ranges = this.#placer.rangesIn(touch, cluster, shift);
    this.#require();
    return ranges;
  }

  /** By cluster: where the touches lie whose addresses are computed there. */
  readonly #placed = new Map<number, ReadonlyMap<Touch, number[] | null>>();
  #spans = 0;

  #othersIn(cluster: number): ReadonlyMap<Touch, number[] | null> {
    let placed = this.#placed.get(cluster);
    if (placed !== undefined) return placed;
    const number = this.#classOf(cluster);
    const { others } = this.#grouped[this.#classes.findIndex((each) => each.number === number)]!;
    placed = new Map(others.map((touch) => [touch, this.#placer.rangesIn(touch, cluster, null)]));
    this.#placed.set(cluster, placed);
    this.#require();
    for (const ranges of placed.values()) this.#spans += (ranges?.length ?? 0) / 2;
    if (this.#spans > MAX_SPANS) throw new TooMuchMemory();
    return placed;
  }

  /** Meetings with touches whose addresses are computed in each cluster. */
  *#ofOthers(groups: readonly Group[]): Generator<BlockMeeting> {
    const own = this.#spansOfOthers();
    if (own.length === 0) return;
    const least = own.reduce((found, { from }) => Math.min(found, from), Infinity);
    const end = own.reduce((found, { to }) => Math.max(found, to), -Infinity);
    const spans = [...own];
    for (const group of groups) {
      const [first, last] = this.#hullOf(group);
      const isNear = own.some((each) => mayNotMeet(each, group)) && first < end && least < last;
      if (isNear) this.#addSpans(group, spans);
    }
    const isMet = meeting(spans);
    const met = spans
      .filter((_, index) => isMet[index] === 1)
      .toSorted((one, two) => one.from - two.from);
    let open: PlacedSpan[] = [];
    for (const span of met) {
      open = open.filter(({ to }) => to > span.from);
      for (const before of open) {
        this.#count();
        if (before.by === span.by || !mayNotMeet(before, span)) continue;
        if (before.group !== null && span.group !== null) continue;
        const found = this.#meeting(placedOf(before), placedOf(span));
        if (found !== null) yield found;
      }
      open.push(span);
    }
  }

  #spansOfOthers(): PlacedSpan[] {
    const spans: PlacedSpan[] = [];
    for (const [index, { others }] of this.#grouped.entries()) {
      const { number } = this.#classes[index]!;
      for (const touch of others)
        for (const cluster of this.#places.keys()) {
          if (this.#classOf(cluster) !== number) continue;
          const ranges = this.#rangesOf({ touch, cluster, group: null });
          if (ranges !== null) this.#push(spans, touch, cluster, null, ranges);
        }
    }
    return spans;
  }

  #addSpans(group: Group, spans: PlacedSpan[]): void {
    const own = group.shifts[group.of.cluster]!;
    for (const touch of group.touches) {
      const ranges = rangesOf(touch);
      for (const { shift, clusters } of this.#sortedOf(group)) {
        const there = ranges.map((each) => each + shift - own);
        for (const cluster of clusters) this.#push(spans, touch, cluster, group, there);
      }
    }
  }

  #push(
    spans: PlacedSpan[],
    touch: Touch,
    by: number,
    group: Group | null,
    ranges: readonly number[],
  ): void {
    const { isWrite } = touch;
    const own = { by, isWrite, isOrdered: isOrderedBetween(touch), touch, group };
    for (let index = 0; index < ranges.length; index += 2)
      spans.push({ from: ranges[index]!, to: ranges[index + 1]!, ...own });
    if (spans.length > MAX_SPANS) throw new TooMuchMemory();
  }
}
