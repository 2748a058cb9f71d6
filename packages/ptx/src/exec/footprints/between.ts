// Global memory that two clusters of a grid touch, one of them to write (theorem B2). Nothing
// orders clusters that wait for no word, so that each such pair is a race, unless both store the
// same.
import type { Dimensions, Launch } from '../../launch/launch.ts';
import type { Box, Place } from '../../values/origin.ts';
import { Work } from '../origins/work.ts';
import { meetingBoxes } from './boxes.ts';
import type { PlacedBox } from './boxes.ts';
import { areNear, Buckets, distancesBetween, hullIn, widestHull } from './buckets.ts';
import type { Bucket, GridOfClasses } from './buckets.ts';
import { ByteSet } from './byte-set.ts';
import { grouped, mayNotMeet } from './groups.ts';
import type { ClassTouches, Group, Grouped } from './groups.ts';
import { isBeyond, isOdd, misplacedOthers, mayBeOfOne } from './misplaced.ts';
import type { Buffer, BufferOf, Misplaced } from './misplaced.ts';
import { costOf, neededOthers, NONE, readsApart } from './needed.ts';
import { ownElsewhere } from './own-elsewhere.ts';
import { pairsOfOthers } from './placed-others.ts';
import type { AllTouches, Placed } from './placed-others.ts';
import { TouchPlacer } from './placed-touch.ts';
import { allPlaces, Shifts } from './shifts.ts';
import { areApartOnAxes, shiftsOnAxes } from './steps-apart.ts';
import { TooMuchMemory, ValuesNeeded } from './too-much.ts';
import { rangesOf } from './touches.ts';
import type { Touch } from '../../steps/touches.ts';

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

/** The most values that are computed, and pairs that are looked at. */
const MAX_WORK = 1_000_000_000;
const MAX_PAIRS = 50_000_000;
/** So many pairs are looked at before the clock is. */
const PAIRS_AT_ONCE = 65_536;
/** Of more values, those are left out that pointers tell apart. */
const MANY_VALUES = 40_000_000;
/** So many distances are looked at in any case. */
const MANY = 100_000;

/** How long clusters are compared, and by what where there is too much of it. */
export interface ComparedBy {
  readonly isLate?: () => boolean;
  /** The pointers that the address of an instruction is derived from; `null`: any memory. */
  readonly pointersOf?: (at: number) => ReadonlySet<string> | null;
}

/** What the clusters of a grid touch, by their classes. */
export class BlockFootprints {
  readonly #launch: Launch;
  readonly #places: readonly Place[];
  readonly #classOf: (cluster: number) => number;
  readonly #classes: readonly ClassTouches[];
  readonly #work: Work;
  readonly #shifts: Shifts;
  readonly #placer: TouchPlacer;
  readonly #grouped: readonly Grouped[];
  /** The touches that have to be placed in each cluster. */
  readonly #needed: ReadonlySet<Touch>;
  readonly #grid: GridOfClasses;
  readonly #buckets: Buckets;
  readonly #all: AllTouches;
  /** A read that is compared by the pointer of its address alone; `null`: none is. */
  readonly separateAt: number | null;
  readonly #same: (readonly [Placed, Placed])[] = [];
  #pairs = 0;

  constructor(
    launch: Launch,
    across: Dimensions,
    classes: readonly ClassTouches[],
    classOf: (cluster: number) => number,
    { isLate, pointersOf = () => null }: ComparedBy = {},
  ) {
    this.#work = new Work(MAX_WORK, isLate);
    this.#launch = launch;
    this.#places = allPlaces(across);
    this.#classes = classes;
    this.#classOf = classOf;
    this.#shifts = new Shifts(this.#places, this.#work);
    const [x, y, z] = across;
    const box: Box = { from: [0, 0, 0], to: [x - 1, y - 1, z - 1] };
    this.#grouped = classes.map((each) => grouped(each, box, this.#shifts, this.#work));
    const numberAt = ([x_, y_, z_]: Place): number => x_ + x * (y_ + y * z_);
    this.#grid = { whole: box, places: this.#places, numberAt, classOf };
    this.#buckets = new Buckets(this.#grid, this.#work);
    const needed = neededOthers(this.#grouped, (group) =>
      hullIn(group, this.#buckets.ofClass(group)),
    );
    const apart =
      costOf(needed) * this.#places.length > MANY_VALUES
        ? readsApart(needed, classes, pointersOf)
        : NONE;
    this.separateAt = apart.values().next().value?.at ?? null;
    this.#needed = new Set([...needed].filter((touch) => !apart.has(touch)));
    const together = this.#grouped.map(({ others }) =>
      others.filter((each) => this.#needed.has(each)),
    );
    this.#placer = new TouchPlacer(this.#work, this.#places, together);
    this.#all = {
      classes,
      grouped: this.#grouped,
      needed: this.#needed,
      grid: this.#grid,
      buckets: this.#buckets,
      placer: this.#placer,
      near: new Set(),
    };
  }

  /**
   * Clusters that touch memory beyond its buffers, or where it is no multiple of its unit.
   *
   * @param bufferOf The bytes of the buffer that an address lies in; `null`: they are not known.
   * @throws TooMuchMemory
   */
  *misplaced(bufferOf: BufferOf): Generator<Misplaced> {
    const done = new Set<number>();
    for (const misplaced of this.#allMisplaced(bufferOf)) {
      if (done.has(misplaced.cluster)) continue;
      done.add(misplaced.cluster);
      yield misplaced;
    }
  }

  *#allMisplaced(bufferOf: BufferOf): Generator<Misplaced> {
    for (const [index, { groups, others }] of this.#grouped.entries()) {
      for (const group of groups)
        for (const touch of group.touches) yield* this.#misplacedIn(touch, group, bufferOf);
      const { number } = this.#classes[index]!;
      const isOfClass = (cluster: number): boolean => this.#classOf(cluster) === number;
      const { whole, numberAt } = this.#grid;
      const places = { whole, places: this.#places, numberAt, isOfClass };
      yield* misplacedOthers(others, bufferOf, places, this.#work);
    }
  }

  /** The first cluster in which a touch of a group is misplaced. */
  *#misplacedIn(touch: Touch, group: Group, bufferOf: BufferOf): Generator<Misplaced> {
    const own = rangesOf(touch);
    const buffer = bufferOf(Math.min(...own));
    let misplaced: number | null = null;
    let within = 0;
    for (const cluster of this.#clustersNear(touch, group, buffer)) {
      this.#count();
      const ranges = this.#rangesOf({ touch, cluster, group }) ?? [];
      if (ranges.length === 0) continue;
      if (isOdd(ranges, touch)) return yield { cluster, isOfOne: false };
      if (!isBeyond(ranges, buffer)) within++;
      else misplaced ??= cluster;
      if (misplaced !== null && within > 1) break;
    }
    if (misplaced !== null) yield { cluster: misplaced, isOfOne: mayBeOfOne(buffer, within) };
  }

  /** The clusters that make a touch; none where it is clear that all of them do so in its place. */
  *#clustersNear(touch: Touch, group: Group, buffer: Buffer): Generator<number> {
    const own = group.shifts[group.of.cluster]!;
    const ends = [...rangesOf(touch)];
    const [least, end] = [Math.min(...ends), Math.max(...ends)];
    const around = shiftsOnAxes(group, this.#grid.whole);
    const isIn = ([first, last]: readonly [number, number]): boolean =>
      buffer === null || (least + first >= buffer[0] && end + last <= buffer[1]);
    if (
      around !== null &&
      isIn([around.least - own, around.most - own]) &&
      around.step % touch.unit === 0
    )
      return;
    // Those that do not make it are not asked for, where all would do so in its place.
    for (const buckets of [this.#buckets.ofClass(group), this.#sortedOf(group)]) {
      const first = (buckets[0]?.shift ?? own) - own;
      const last = (buckets.at(-1)?.shift ?? own) - own;
      const isWithin = isIn([first, last]);
      const isEven = first % touch.unit === 0 && this.#buckets.stepOf(buckets) % touch.unit === 0;
      if (isWithin && isEven) return;
    }
    for (const { clusters } of this.#sortedOf(group)) yield* clusters;
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
        if (mayNotMeet(group, other) && !this.#areApart(group, other))
          yield* this.#between(group, other);
    yield* this.#ofOthers();
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

  /** Whether the clusters of two groups do not come near each other at all. */
  #areApart(one: Group, other: Group): boolean {
    const buckets = this.#buckets;
    return (
      areApartOnAxes(one, other, this.#grid.whole) ||
      !areNear(widestHull(one), widestHull(other)) ||
      !areNear(hullIn(one, buckets.ofClass(one)), hullIn(other, buckets.ofClass(other))) ||
      !areNear(this.#hullOf(one), this.#hullOf(other))
    );
  }

  /** The bytes from the first to the last one of all clusters of a group. */
  #hullOf(group: Group): readonly [number, number] {
    return hullIn(group, this.#sortedOf(group));
  }

  /** The clusters that make the touches of a group, by their shifts. */
  #sortedOf(group: Group): readonly Bucket[] {
    const buckets = this.#buckets.of(group);
    this.#require();
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
    if (this.#areAllApart(group, other, nearest, furthest)) return;
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

  /** Whether clusters whose distances are multiples of a step do not meet at any of these. */
  #areAllApart(group: Group, other: Group, nearest: number, furthest: number): boolean {
    const [own, others] = [this.#sortedOf(group), this.#sortedOf(other)];
    if (own.length === 0 || others.length === 0) return true;
    const areAlone = [...own, ...others].every(({ clusters }) => clusters.length === 1);
    const { step, first } = distancesBetween(own, others);
    const count = Math.floor((furthest - nearest) / step);
    if (step === 0 || count > MANY + own.length + others.length) return false;
    // With the same shifts, those without a distance are one cluster.
    const isOwn = areAlone && group.of === other.of && group.shifts === other.shifts;
    let distance = first + Math.ceil((nearest - first) / step) * step;
    for (; distance < furthest; distance += step) {
      if (isOwn && distance === 0) continue;
      if (distance > nearest && group.bytes.meetsShifted(other.bytes, distance)) return false;
    }
    return true;
  }

  #count(): void {
    const isDue = ++this.#pairs % PAIRS_AT_ONCE === 0;
    if (this.#pairs > MAX_PAIRS || (isDue && !this.#work.takes(PAIRS_AT_ONCE)))
      throw new TooMuchMemory();
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
    const shift = group === null ? null : group.shifts[cluster]! - group.shifts[group.of.cluster]!;
    const ranges = this.#placer.rangesIn(touch, cluster, shift);
    this.#require();
    return ranges;
  }

  /** Meetings with touches whose addresses are computed in each cluster. */
  *#ofOthers(): Generator<BlockMeeting> {
    for (const [one, other] of pairsOfOthers(this.#all)) {
      this.#count();
      const found = this.#meeting(one, other);
      if (found !== null) yield found;
    }
  }

  /**
   * Clusters whose own threads meet where those of the cluster that was executed for them do not;
   * after {@link meetings}.
   *
   * @throws TooMuchMemory
   */
  *membersThatMeet(): Generator<number> {
    yield* ownElsewhere(this.#all);
  }
}
