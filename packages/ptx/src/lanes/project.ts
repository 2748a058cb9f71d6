// The steps of a warp as lists of steps of its classes of lanes.
import type { AccessStep, AsyncUnit, Step } from '../steps/step.ts';
import type { IssuersOf } from './groups.ts';
import { count, makersOf } from './mask.ts';
import type { Segment } from './segments.ts';
import { rangesOfLanes } from './touches.ts';

/** What is known of a warp that is taken apart. */
export interface Apart {
  readonly steps: readonly Step[];
  readonly all: number;
  /** Classes of lanes, as masks. */
  readonly classes: readonly number[];
  /** Segments that one list does not stand for. */
  readonly loose: ReadonlySet<Segment>;
  readonly segments: readonly Segment[];
  readonly issuersOf: IssuersOf;
  /** Is called before each step, and after the last one. */
  readonly watch: WatchClasses;
}

/** What the lists of later steps depend on. */
export interface ProjectionMark {
  readonly state: string;
  /** Whether classes make the step before by themselves, and the next one. */
  readonly isLoose: boolean;
  readonly isNextLoose: boolean;
}

/** Gets the lists of the classes so far. */
export type WatchClasses = (
  at: number,
  lists: readonly (readonly Step[])[],
  mark: () => ProjectionMark,
) => void;

/** The lists of steps of the classes of a warp. */
export function projected(apart: Apart): Step[][] {
  return new Projection(apart).lists;
}

/**
 * Where one list stands for all lanes, the first class makes the steps for all of them, and all
 * classes join before and after.
 */
class Projection {
  readonly lists: Step[][];
  readonly #apart: Apart;
  /** Whether classes made steps of their own since they were joined. */
  #isApart = false;
  /** Whether the first class made steps for all since they were joined. */
  #isLed = false;

  constructor(apart: Apart) {
    this.#apart = apart;
    this.lists = apart.classes.map(() => []);
    const { steps, segments, loose } = apart;
    let next = 0;
    for (let at = 0; at < steps.length;) {
      const segment = segments[next];
      if (segment?.from === at) {
        const isLoose = loose.has(segment);
        for (; at < segment.to; at++) {
          this.#watch(at, isLoose);
          this.#step(steps[at]!, isLoose);
        }
        next++;
      } else {
        this.#watch(at, false);
        this.#boundary(steps[at]!);
        at++;
      }
    }
    this.#watch(steps.length, false);
  }

  /** Whether the last step was of a segment that one list does not stand for. */
  #wasLoose = false;

  #watch(at: number, isNextLoose: boolean): void {
    const isLoose = this.#wasLoose;
    this.#wasLoose = isNextLoose;
    this.#apart.watch(at, this.lists, () => {
      const work = this.lists.map((list) => [...unitsOf(list)].toSorted().join());
      return { state: [this.#isApart, this.#isLed, ...work].join(' '), isLoose, isNextLoose };
    });
  }

  #boundary(step: Step): void {
    if (this.#isApart) this.#join(step);
    if (step.op !== 'join') this.#lead(step);
  }

  #step(step: Step, isLoose: boolean): void {
    const isOfEach = step.op === 'clusterArrive' || step.op === 'clusterWait';
    if (!isLoose && !isOfEach) return this.#lead(step);
    if (this.#isLed) this.#join(step);
    this.#isApart = true;
    for (const [index, mask] of this.#apart.classes.entries()) {
      const part = partOf(step, mask, this.#apart, this.lists[index]!);
      if (part !== null) this.lists[index]!.push(part);
    }
  }

  /** A step that the first class makes for all. */
  #lead(step: Step): void {
    if (step.op === 'join') return;
    if (this.#isApart) this.#join(step);
    this.#isLed = true;
    this.lists[0]!.push(step);
  }

  #join({ at }: Step): void {
    this.#isApart = false;
    this.#isLed = false;
    for (const list of this.lists) list.push({ op: 'join', at });
  }
}

/** The units to which some steps issue work. */
function unitsOf(steps: readonly Step[]): ReadonlySet<AsyncUnit> {
  return new Set(steps.flatMap((step) => (step.op === 'use' ? [step.unit] : [])));
}

/** Makes identities of values that no register has. */
const NO_REGISTER = 2 ** 40;

/**
 * What a store leaves in each range. Where several of its lanes store into one, any of them may be
 * the last, so that they all count as storing the same: one instruction is one access.
 */
function valuesOfOne({ at, writes, values }: AccessStep): readonly number[] {
  const stored = new Map<number, string>();
  const unequal = new Set<number>();
  for (let range = 0; range < writes.length; range += 2) {
    const [start, value] = [writes[range]!, `${values[range]},${values[range + 1]}`];
    if ((stored.get(start) ?? value) !== value) unequal.add(start);
    stored.set(start, value);
  }
  if (unequal.size === 0) return values;
  return values.map((value, index) => {
    const start = writes[index - (index % 2)]!;
    if (!unequal.has(start)) return value;
    return index % 2 === 0 ? at : NO_REGISTER + start;
  });
}

/** The part of a step that the lanes of a class make; `null` if they make none. */
export function partOf(
  step: Step,
  mask: number,
  apart: Pick<Apart, 'all' | 'issuersOf'>,
  before: readonly Step[],
): Step | null {
  const makers = makersOf(step, apart.all);
  const lanes = makers & mask;
  if (lanes === 0) return null;
  const share = (value: number): number => (value * count(lanes)) / count(makers);
  switch (step.op) {
    case 'arrive':
      return { ...step, lanes, arrivals: share(step.arrivals), expect: share(step.expect) };
    case 'asyncArrive':
    case 'signal':
      return { ...step, lanes, arrivals: share(step.arrivals) };
    case 'named':
      return { ...step, lanes, arriving: share(step.arriving) };
    case 'access': {
      if (step.isPossible === true) return { ...step, lanes };
      const [reads, writes] = [step.reads, step.writes].map((ranges) => {
        return rangesOfLanes(ranges, makers, lanes);
      }) as [number[], number[]];
      const isEach = step.values.length === step.writes.length;
      const values = isEach ? rangesOfLanes(valuesOfOne(step), makers, lanes) : [];
      const part = { ...step, lanes, reads, writes, values };
      const { stored } = step;
      return stored === undefined
        ? part
        : { ...part, stored: rangesOfLanes(stored, makers, lanes) };
    }
    case 'use':
    case 'map':
      return {
        ...step,
        lanes,
        reads: rangesOfLanes(step.reads, makers, lanes),
        writes: rangesOfLanes(step.writes, makers, lanes),
      };
    case 'init':
    case 'invalidate':
      // Equal initializations by several lanes are one, by the first of them.
      return (makers & -makers & lanes) === 0 ? null : { ...step, lanes };
    case 'waitGroup': {
      // Lanes without work of their own have nothing to wait for if those that have some wait, too.
      const hasWork = before.some((each) => each.op === 'use' && each.unit === step.unit);
      const isCovered = (apart.issuersOf(step.unit) & ~makers) === 0;
      return hasWork || !isCovered ? { ...step, lanes } : null;
    }
    case 'join':
      // Its lanes are its members, of whichever class.
      return step;
    case 'expect':
    case 'complete':
    case 'wait':
    case 'copy':
    case 'prefetch':
    case 'commit':
    case 'commitGroup':
    case 'fence':
    case 'clusterArrive':
    case 'clusterWait':
    case 'allocate':
    case 'free':
    case 'relinquish':
    case 'registers':
    case 'tensorMisuse':
    case 'lanes':
    case 'poll':
    case 'gridWait':
    case 'last':
      return { ...step, lanes };
  }
}
