// The clusters that make the touches of a group, by how far these are from where they were
// executed.
import type { Box, Picked, Place } from '../../values/origin.ts';
import type { Work } from '../origins/work.ts';
import { placesOf } from '../origins/halves.ts';
import type { Group } from './groups.ts';
import { openPlaces } from './open-places.ts';
import { TouchPlacer } from './placed-touch.ts';
import { commonDivisor } from '../../values/reach.ts';

/** Clusters with the same shift. */
export interface Bucket {
  readonly shift: number;
  readonly clusters: readonly number[];
}

/** The clusters of a grid, and the class of each. */
export interface GridOfClasses {
  readonly whole: Box;
  readonly places: readonly Place[];
  readonly numberAt: (place: Place) => number;
  readonly classOf: (cluster: number) => number;
}

/** Sorts clusters by how far they shift what they touch. */
export class Buckets {
  readonly #grid: GridOfClasses;
  readonly #work: Work;
  readonly #placer: TouchPlacer;
  readonly #all = new Map<Float64Array, Map<number, readonly Bucket[]>>();
  readonly #making = new Map<Group, readonly Bucket[]>();
  readonly #steps = new Map<readonly Bucket[], number>();
  readonly #makers = new Map<object, { readonly guard: Picked; readonly makes: Uint8Array }[]>();

  constructor(grid: GridOfClasses, work: Work) {
    this.#grid = grid;
    this.#work = work;
    this.#placer = new TouchPlacer(work, grid.places);
  }

  /** All clusters of the class, whether they make the touches or not. */
  ofClass({ shifts, of }: Group): readonly Bucket[] {
    let byClass = this.#all.get(shifts);
    if (byClass === undefined) this.#all.set(shifts, (byClass = new Map()));
    let buckets = byClass.get(of.number);
    if (buckets === undefined) byClass.set(of.number, (buckets = this.#sorted(shifts, of.number)));
    return buckets;
  }

  /** Those that make them. */
  of(group: Group): readonly Bucket[] {
    const { guard } = group;
    if (guard === null) return this.ofClass(group);
    let buckets = this.#making.get(group);
    if (buckets === undefined) {
      const makes = this.#makersOf(guard);
      buckets = this.ofClass(group).flatMap(({ shift, clusters }) => {
        const own = clusters.filter((each) => makes[each] === 1);
        return own.length === 0 ? [] : [{ shift, clusters: own }];
      });
      this.#making.set(group, buckets);
    }
    return buckets;
  }

  /** What divides how far all shifts of a list are from each other. */
  stepOf(buckets: readonly Bucket[]): number {
    let step = this.#steps.get(buckets);
    if (step === undefined) {
      step = buckets.length === 0 ? 0 : distancesBetween(buckets, buckets).step;
      this.#steps.set(buckets, step);
    }
    return step;
  }

  #sorted(shifts: Float64Array, number: number): readonly Bucket[] {
    const { places, classOf } = this.#grid;
    const byShift = new Map<number, number[]>();
    for (let cluster = 0; cluster < places.length; cluster++) {
      if (classOf(cluster) !== number) continue;
      const shift = shifts[cluster]!;
      const known = byShift.get(shift);
      if (known === undefined) byShift.set(shift, [cluster]);
      else known.push(cluster);
    }
    return [...byShift]
      .map(([shift, clusters]) => ({ shift, clusters }))
      .sort((one, two) => one.shift - two.shift);
  }

  /** By cluster: 1 where some lane of a mask may make what a predicate guards. */
  #makersOf(guard: Picked): Uint8Array {
    let known = this.#makers.get(guard.guard);
    if (known === undefined) this.#makers.set(guard.guard, (known = []));
    const same = known.find(({ guard: { isNegated, mask } }) => {
      return isNegated === guard.isNegated && mask === guard.mask;
    });
    if (same !== undefined) return same.makes;
    const makes = this.#computedMakers(guard);
    known.push({ guard, makes });
    return makes;
  }

  #computedMakers(guard: Picked): Uint8Array {
    const { whole, places, numberAt } = this.#grid;
    const makes = new Uint8Array(places.length);
    const mark = (box: Box): void => {
      for (const place of placesOf(box)) makes[numberAt(place)] = 1;
    };
    // What comes from data may be unknown where bounds say a number.
    const hasBounds = guard.guard.from === 0;
    const open = openPlaces(
      [{ origin: guard.guard, lanes: guard.mask }],
      whole,
      this.#work,
      (bounds, box) => {
        const reach = hasBounds ? bounds.of(guard.guard) : null;
        const isZero = reach !== null && reach.least === 0 && reach.most === 0;
        if (reach === null || !(isZero || reach.least > 0)) return true;
        if (isZero === guard.isNegated) mark(box);
        return false;
      },
    );
    for (const box of open)
      for (const place of placesOf(box)) {
        const cluster = numberAt(place);
        if (this.#placer.holds(guard, cluster)) makes[cluster] = 1;
      }
    return makes;
  }
}

/** Distances between clusters of two lists: all of them are `first` and a multiple of `step`. */
export function distancesBetween(
  own: readonly Bucket[],
  others: readonly Bucket[],
): { readonly step: number; readonly first: number } {
  const first = others[0]!.shift - own[0]!.shift;
  let step = 0;
  for (const list of [own, others])
    for (const { shift } of list) step = commonDivisor(step, Math.abs(shift - list[0]!.shift));
  return { step, first };
}

/** The bytes from the first to the last one that a group touches in some clusters. */
export function hullIn({ bytes }: Group, buckets: readonly Bucket[]): readonly [number, number] {
  if (buckets.length === 0) return [Infinity, -Infinity];
  return [bytes.least + buckets[0]!.shift, bytes.end + buckets.at(-1)!.shift];
}

/** The same in all clusters of the grid, of whatever class they are. */
export function widestHull({ bytes, shifts }: Group): readonly [number, number] {
  let ends = shiftEnds.get(shifts);
  if (ends === undefined) {
    let [least, most] = [Infinity, -Infinity];
    for (const shift of shifts) {
      least = Math.min(least, shift);
      most = Math.max(most, shift);
    }
    shiftEnds.set(shifts, (ends = [least, most]));
  }
  return [bytes.least + ends[0], bytes.end + ends[1]];
}

/** The least and the most of shifts. */
const shiftEnds = new WeakMap<Float64Array, readonly [number, number]>();

/** Whether two hulls have a byte in common. */
export function areNear(
  [first, last]: readonly [number, number],
  [least, end]: readonly [number, number],
): boolean {
  return first < end && least < last;
}
