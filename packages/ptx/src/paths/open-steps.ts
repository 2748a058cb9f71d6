// What of the steps before a cut later steps may still conflict with: those since a barrier of all
// threads before which all asynchronous work was issued that no later one has seen complete.
import { unreachable } from '@poundlock/core/internal/base';
import type { Machine } from '../exec/machine/machine.ts';
import { NoCut } from '../exec/machine/cuts.ts';
import type { AsyncUnit, FenceKind, Ranges, Step } from '../steps/step.ts';
import { mix, start } from '../values/terms.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { Levels } from './levels.ts';
import { keyOfStep } from './step-key.ts';

/** Something that a step began, and that later steps have to know to be over. */
interface Open {
  readonly slice: number;
  readonly warp: number;
  readonly index: number;
  /** The slice in which it was seen to be over, as far as its own warp says. */
  overIn: number;
}

/** Work that ends with a group of its lanes. */
interface OpenGroup extends Open {
  readonly unit: AsyncUnit;
  readonly lanes: number;
  /** The number of its group in each lane, at most. */
  readonly group: number;
  /** What it writes through the proxy of threads, which happens until it is over. */
  readonly writes: Ranges;
}

/** A copy, or an arrival of copies, that ends with a phase of an mbarrier. */
interface OpenCopy extends Open {
  readonly barrier: number;
  readonly phase: number;
}

/** What a warp has done. */
interface Progress {
  /** Steps that were looked at. */
  read: number;
  /** The steps that were barriers of all threads. */
  readonly barriers: number[];
  readonly groups: Map<AsyncUnit, number[]>;
}

type StepOf<K extends Step['op']> = Extract<Step, { op: K }>;

const NEVER = Number.POSITIVE_INFINITY;
const LANES = 32;
const ALL = -1;
/** Fences whose effect is followed: others may only come before the first question. */
const FOLLOWED: ReadonlySet<FenceKind> = new Set([
  'proxy.async',
  'wgmma',
  'release',
  'acquire',
  'acq_rel',
  'sc',
]);

/** Follows the steps of all warps of a run from cut to cut. */
export class OpenSteps {
  readonly #warps: readonly Progress[];
  /** Whether a step is a barrier of all threads, at which each lane of a warp waits. */
  readonly #isAll: (step: Step) => boolean;
  #groups: OpenGroup[] = [];
  #copies: OpenCopy[] = [];
  readonly #levels: Levels;
  /** Phases that were waited for, by mbarrier: slices and phases. */
  readonly #waits = new Map<number, { slice: number; phase: number }[]>();
  readonly #begins = new Map<number, number[]>();

  constructor(machine: Machine, warps: readonly Warp[]) {
    this.#warps = warps.map(() => ({ read: 0, barriers: [], groups: new Map() }));
    this.#levels = new Levels(machine.memory.bytes);
    this.#isAll = (step) =>
      step.op === 'named' &&
      step.isSync &&
      step.isJoint === true &&
      step.isPartOfWarp !== true &&
      step.threads === machine.threads;
  }

  /**
   * What is open at a cut, as a text. It differs where the steps of a run before two cuts are not
   * the same for those after them.
   */
  at(warps: readonly Warp[], stamp: number): string {
    for (const [index, warp] of warps.entries()) this.#read(warp, index, stamp);
    const [first, ...others] = this.#warps;
    const slices = first!.barriers.length;
    const isSame = others.every(({ barriers }) => barriers.length === slices);
    if (!isSame) throw new NoCut('warps have come to different barriers');
    this.#close(slices);
    let from = slices;
    for (const { slice } of [...this.#groups, ...this.#copies]) from = Math.min(from, slice);
    this.#level(warps, from);
    const state = { low: 0, high: 0 };
    start(state, 1);
    this.#levels.addTo(state);
    for (const [index, { steps }] of warps.entries()) {
      const begin = this.#beginOf(index, from);
      mix(state, index, steps.length - begin, 0);
      for (let at = begin; at < steps.length; at++) {
        const { low, high } = keyOfStep(steps[at]!);
        mix(state, low, high, 1);
      }
    }
    return `${state.low} ${state.high}`;
  }

  /** Looks at the steps of a warp since the last cut. */
  #read(warp: Warp, index: number, stamp: number): void {
    const progress = this.#warps[index]!;
    const { steps } = warp;
    for (let at = progress.read; at < steps.length; at++) {
      const step = steps[at]!;
      const place = { slice: progress.barriers.length, warp: index, index: at, overIn: NEVER };
      if (this.#isAll(step)) {
        progress.barriers.push(at);
        continue;
      }
      this.#note(step, place, progress, stamp);
      if (step.op === 'access' && step.values.length > 0)
        steps[at] = { ...step, values: stamped(step.values, stamp) };
    }
    progress.read = steps.length;
  }

  #note(step: Step, place: Open, progress: Progress, stamp: number): void {
    const { slice } = place;
    switch (step.op) {
      case 'use':
        return this.#use(step, place, progress);
      case 'commitGroup':
        return commitGroup(step, progress);
      case 'waitGroup':
        return this.#waitGroup(step, place, progress);
      case 'copy':
        for (const { barrier, phase } of step.signals) this.#opens(place, barrier, phase);
        return;
      case 'asyncArrive':
        return this.#opens(place, step.barrier, step.phase);
      case 'commit':
        for (const barrier of step.barriers) this.#opens(place, barrier);
        return;
      case 'wait':
        // A relaxed wait orders the copy, and does not make known what it wrote.
        if (step.phase !== undefined && step.sem === undefined)
          listOf(this.#waits, step.barrier).push({ slice, phase: step.phase });
        return;
      case 'init':
      case 'invalidate':
        listOf(this.#begins, step.barrier).push(slice);
        return;
      case 'fence':
        if (stamp > 1 && !FOLLOWED.has(step.fence)) notKnown(`a fence '${step.fence}'`);
        return;
      case 'access':
      case 'arrive':
      case 'expect':
      case 'complete':
      case 'named':
      case 'join':
      case 'prefetch':
        return;
      case 'map':
      case 'registers':
      case 'gridWait':
        // What happens before the first question is the same on all ways.
        if (stamp > 1) notKnown(`'${step.op}'`);
        return;
      case 'signal':
      case 'poll':
      case 'clusterArrive':
      case 'clusterWait':
      case 'allocate':
      case 'free':
      case 'relinquish':
      case 'tensorMisuse':
      case 'lanes':
      case 'last':
        return notKnown(`'${step.op}'`);
      default:
        return unreachable(step);
    }
  }

  /** Asynchronous work, which ends with its group. */
  #use(step: StepOf<'use'>, place: Open, progress: Progress): void {
    const { unit, lanes = ALL } = step;
    const counts = groupsOf(progress, unit);
    const group = unit === 'tcgen05' ? NEVER : Math.max(...ofLanes(counts, lanes));
    const writes = unit === 'cpAsync' ? step.writes : [];
    this.#groups.push({ ...place, unit, lanes, group, writes });
  }

  #waitGroup(step: StepOf<'waitGroup'>, { warp, slice }: Open, progress: Progress): void {
    const { unit, pending, lanes = ALL } = step;
    const done = Math.min(...ofLanes(groupsOf(progress, unit), lanes)) - pending;
    for (const open of this.#groups) {
      const isOfWarp = open.warp === warp && open.unit === unit;
      if (isOfWarp && (open.lanes & ~lanes) === 0 && open.group < done)
        open.overIn = Math.min(open.overIn, slice);
    }
  }

  /** A copy begins, which ends with a phase of an mbarrier. */
  #opens(place: Open, barrier: number, phase = NEVER): void {
    this.#copies.push({ ...place, barrier, phase });
  }

  /** Takes out what steps before the last barrier of all threads have seen to be over. */
  #close(slices: number): void {
    for (const { overIn, writes } of this.#groups)
      if (overIn < slices && writes.length > 0) listOf(this.#arrived, overIn).push(writes);
    this.#groups = this.#groups.filter(({ overIn }) => overIn >= slices);
    this.#copies = this.#copies.filter((copy) => {
      const waits = this.#waits.get(copy.barrier) ?? [];
      const begins = this.#begins.get(copy.barrier) ?? [];
      return !waits.some(({ slice, phase }) => {
        if (slice < copy.slice || slice >= slices || phase < copy.phase) return false;
        // Else the phase may be one of another life of the barrier.
        return !begins.some((begin) => begin >= copy.slice && begin <= slice);
      });
    });
  }

  /** Where a slice of a warp begins. */
  #beginOf(warp: number, slice: number): number {
    return slice === 0 ? 0 : this.#warps[warp]!.barriers[slice - 1]! + 1;
  }

  /** Goes on to follow at which level writes are known, up to a slice. */
  #level(warps: readonly Warp[], to: number): void {
    for (; this.#leveled < to; this.#leveled++) {
      const slice = this.#leveled;
      const steps = warps.map(({ steps: all }, index) => {
        return all.slice(this.#beginOf(index, slice), this.#beginOf(index, slice + 1));
      });
      this.#levels.add(steps, this.#arrived.get(slice) ?? []);
      this.#arrived.delete(slice);
    }
  }

  #leveled = 0;
  /** What copies by threads have written that were over in a slice. */
  readonly #arrived = new Map<number, Ranges[]>();
}

function notKnown(what: string): never {
  throw new NoCut(`what follows ${what} is not known`);
}

function commitGroup({ unit, lanes = ALL }: StepOf<'commitGroup'>, progress: Progress): void {
  const counts = groupsOf(progress, unit);
  for (let lane = 0; lane < LANES; lane++) counts[lane]! += (lanes >>> lane) & 1;
}

function ofLanes(counts: readonly number[], lanes: number): number[] {
  return counts.filter((_, lane) => (lanes >>> lane) & 1);
}

function groupsOf({ groups }: Progress, unit: AsyncUnit): number[] {
  let counts = groups.get(unit);
  if (counts === undefined) groups.set(unit, (counts = Array.from({ length: LANES }, () => 0)));
  return counts;
}

function listOf<T>(lists: Map<number, T[]>, key: number): T[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

/** Identities of stored values that are equal to none before or after the next cut. */
function stamped(values: readonly number[], stamp: number): number[] {
  const result = [...values];
  const value = { low: 0, high: 0 };
  for (let index = 0; index < result.length; index += 2) {
    if (result[index + 1] === 0) continue;
    start(value, stamp);
    mix(value, result[index]!, result[index + 1]!, 0);
    result[index] = value.low;
    result[index + 1] = value.high;
  }
  return result;
}
