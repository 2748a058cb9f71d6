// Touches whose addresses are computed in each cluster, beside all that they may meet.
import { hullIn } from './buckets.ts';
import type { GridOfClasses, Buckets } from './buckets.ts';
import { isOrderedBetween, mayNotMeet } from './groups.ts';
import type { ClassTouches, Group, Grouped } from './groups.ts';
import { meetingIn, SpanTable } from './meeting.ts';
import type { TouchPlacer } from './placed-touch.ts';
import { TooMuchMemory } from './too-much.ts';
import { rangesOf } from './touches.ts';
import type { Touch } from '../../steps/touches.ts';

/** The most spans that are sorted. */
const MAX_SPANS = 20_000_000;

/** A touch of a cluster, and the group that it is of; `null`: it is of none. */
export interface Placed {
  readonly touch: Touch;
  readonly cluster: number;
  readonly group: Group | null;
}

/** What is compared: all touches of all classes. */
export interface AllTouches {
  readonly classes: readonly ClassTouches[];
  readonly grouped: readonly Grouped[];
  /** Those whose addresses are computed. */
  readonly needed: ReadonlySet<Touch>;
  readonly grid: GridOfClasses;
  readonly buckets: Buckets;
  readonly placer: TouchPlacer;
  /** Of those with computed addresses: all that write, and those that come near a write. */
  readonly near: Set<Touch>;
}

type Hull = readonly [from: number, to: number];

/** Spans with the touch of each. */
class Spans {
  readonly table = new SpanTable();
  readonly #touches: { readonly touch: Touch; readonly group: Group | null }[] = [];
  #touchOf = new Int32Array(64);

  /** A number for a touch, whose spans are added. */
  numberOf(touch: Touch, group: Group | null): number {
    return this.#touches.push({ touch, group }) - 1;
  }

  add(number: number, cluster: number, from: number, to: number): void {
    const { table } = this;
    const { touch } = this.#touches[number]!;
    if (table.length >= MAX_SPANS) throw new TooMuchMemory();
    if (table.length === this.#touchOf.length) {
      const before = this.#touchOf;
      (this.#touchOf = new Int32Array(table.length * 2)).set(before);
    }
    this.#touchOf[table.length] = number;
    const { isWrite } = touch;
    table.add({ from, to, by: cluster, isWrite, isOrdered: isOrderedBetween(touch) });
  }

  placed(index: number): Placed {
    return { ...this.#touches[this.#touchOf[index]!]!, cluster: this.table.by(index) };
  }
}

/** Pairs of touches of different clusters that may meet, one of them with a computed address. */
export function* pairsOfOthers(all: AllTouches): Generator<readonly [Placed, Placed]> {
  if (all.needed.size === 0) return;
  const spans = new Spans();
  const written = addOthers(all, spans, true, null);
  const writingGroups = all.grouped.flatMap(({ groups }) => groups.filter((each) => each.isWrite));
  const reached = [
    ...written,
    ...writingGroups.map((group) => hullIn(group, all.buckets.of(group))),
  ];
  const read = addOthers(all, spans, false, reached);
  if (spans.table.length === 0) return;
  addGroups(all, spans, [...written, ...read]);
  yield* meetingPairs(spans);
}

function* meetingPairs(spans: Spans): Generator<readonly [Placed, Placed]> {
  const { table } = spans;
  const isMet = meetingIn(table);
  let open: number[] = [];
  for (const index of isMet.includes(1) ? table.order() : []) {
    if (isMet[index] === 0) continue;
    const from = table.from(index);
    open = open.filter((before) => table.to(before) > from);
    const own = spans.placed(index);
    for (const before of open) {
      if (table.by(before) === table.by(index)) continue;
      const other = spans.placed(before);
      if (other.group !== null && own.group !== null) continue;
      if (mayNotMeet(asKind(other), asKind(own))) yield [other, own];
    }
    open.push(index);
  }
}

function asKind({ touch }: Placed): Pick<Group, 'isWrite' | 'isOrdered'> {
  return { isWrite: touch.isWrite, isOrdered: isOrderedBetween(touch) };
}

/**
 * Adds the touches that write, or those that only read, and returns from where to where each lies.
 *
 * @param near Bytes outside of which nothing counts; `null`: all counts.
 */
function addOthers(
  { classes, grouped, needed, grid, placer, near: met }: AllTouches,
  spans: Spans,
  isWrite: boolean,
  near: readonly Hull[] | null,
): Hull[] {
  const hulls: Hull[] = [];
  for (const [index, { others }] of grouped.entries()) {
    const own = others.filter((touch) => touch.isWrite === isWrite && needed.has(touch));
    if (own.length === 0) continue;
    const { number } = classes[index]!;
    const numbers = own.map((touch) => spans.numberOf(touch, null));
    const least = own.map(() => Infinity);
    const end = own.map(() => -Infinity);
    for (let cluster = 0; cluster < grid.places.length; cluster++) {
      if (grid.classOf(cluster) !== number) continue;
      for (const [at, touch] of own.entries()) {
        const ranges = placer.rangesIn(touch, cluster, null) ?? [];
        for (let range = 0; range < ranges.length; range += 2) {
          const [from, to] = [ranges[range]!, ranges[range + 1]!];
          if (near !== null && !near.some(([first, last]) => from < last && first < to)) continue;
          spans.add(numbers[at]!, cluster, from, to);
          met.add(touch);
          least[at] = Math.min(least[at]!, from);
          end[at] = Math.max(end[at]!, to);
        }
      }
      if (placer.isOver) throw new TooMuchMemory();
    }
    for (const at of own.keys()) hulls.push([least[at]!, end[at]!]);
  }
  return hulls;
}

/** Adds groups that come near others. */
function addGroups(all: AllTouches, spans: Spans, near: readonly Hull[]): void {
  const isNear = (from: number, to: number): boolean =>
    near.some(([first, last]) => from < last && first < to);
  for (const group of all.grouped.flatMap(({ groups }) => groups)) {
    if (!isNear(...hullIn(group, all.buckets.of(group)))) continue;
    const own = group.shifts[group.of.cluster]!;
    for (const touch of group.touches) {
      const ranges = rangesOf(touch);
      const number = spans.numberOf(touch, group);
      for (const { shift, clusters } of all.buckets.of(group))
        for (let range = 0; range < ranges.length; range += 2) {
          const from = ranges[range]! + shift - own;
          const to = ranges[range + 1]! + shift - own;
          if (isNear(from, to))
            for (const cluster of clusters) spans.add(number, cluster, from, to);
        }
    }
  }
}
