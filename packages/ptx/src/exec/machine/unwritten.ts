// Shared memory that asynchronous work reads: what nothing writes, and words of tcgen05.alloc.
import type { PlacedNote, WarpSteps } from '../../steps/run.ts';
import { isGlobal, offsetOf, rankOf, TENSOR_MEMORY } from '../../steps/step.ts';
import type { Ranges, Step } from '../../steps/step.ts';
import type { PtxFunction } from '../../text/module.ts';
import type { Machine } from './machine.ts';

/** Bytes of an mbarrier. */
const BARRIER_BYTES = 8;
/** Bytes of the address that an allocation stores. */
const WORD_BYTES = 4;
/** What a byte holds: nothing that is known, the address that an allocation stores, or data. */
const ADDRESS = 1 as const;
const DATA = 2 as const;

const NOWHERE = 'which nothing in the kernel writes';

/** The steps without reads of addresses, and work that reads what nothing writes. */
export interface Read {
  readonly warps: readonly WarpSteps[];
  readonly unwritten: readonly PlacedNote[];
}

/** Whether an instruction allocates tensor memory, and stores the address of its columns. */
export function isAllocation({ instructions }: PtxFunction, at: number): boolean {
  const effect = instructions[at]?.effect;
  return effect?.kind === 'tcgen05' && effect.op === 'alloc';
}

/**
 * Takes the word of an allocation out of what asynchronous work reads: it is an address and no
 * data, unless something else writes it as well; then it is taken out where the other writes come
 * later, and are compared with the work at other bytes. Work that then reads nothing that is
 * written is named, if all that writes is known.
 */
export function withoutAddresses(
  code: PtxFunction,
  { ctas, memory, unsizedCopies, nameOf }: Machine,
  warps: readonly WarpSteps[],
): Read {
  if (!warps.some(({ steps }) => steps.some((step) => sharedReads(step).length > 0)))
    return { warps, unwritten: [] };
  const written = new Written(ctas, memory.bytes);
  for (const { steps } of warps)
    for (const step of steps)
      written.add(writesOf(step), isAllocation(code, step.at) ? ADDRESS : DATA);
  const reused = written.hasAddresses ? reusedWords(code, warps) : [];
  const found = new Map<number, PlacedNote>();
  const changed = warps.map((warp): WarpSteps => {
    const steps = warp.steps.map((step): Step => {
      const reads = sharedReads(step);
      if (reads.length === 0 || (step.op !== 'copy' && step.op !== 'use')) return step;
      const kinds = written.kindsOf(reads);
      if ((kinds & DATA) === 0) {
        const [from, to] = reads as [number, number];
        const { opcode } = code.instructions[step.at]!;
        const text = `${opcode} reads ${to - from} B from ${nameOf(from)} on, ${NOWHERE}`;
        found.set(step.at, { at: step.at, text });
      }
      if ((kinds & ADDRESS) === 0) return step;
      const words = reused.filter(([at, later]) => later.every((one) => meetApart(step, one, at)));
      const isAddress = (at: number): boolean =>
        written.kindAt(at) === ADDRESS ||
        words.some(([from]) => at >= from && at < from + WORD_BYTES);
      return { ...step, reads: withoutWords(step.reads, isAddress) };
    });
    return steps.every((step, index) => step === warp.steps[index]) ? warp : { ...warp, steps };
  });
  const isKnown = unsizedCopies.length === 0 && warps.every(({ stuck }) => stuck === null);
  return { warps: changed, unwritten: isKnown ? [...found.values()] : [] };
}

/** What the bytes of shared memory hold that something writes. */
class Written {
  readonly #bytes: readonly Uint8Array[];
  /** Ranges that were added, by what they hold; and what others hold, once they were looked at. */
  readonly #added = { [ADDRESS]: new Set<Ranges>(), [DATA]: new Set<Ranges>() };
  readonly #kinds = new Map<Ranges, number>();

  constructor(ctas: number, bytes: number) {
    this.#bytes = Array.from({ length: ctas }, () => new Uint8Array(bytes));
  }

  get hasAddresses(): boolean {
    return this.#added[ADDRESS].size > 0;
  }

  add(ranges: Ranges, kind: typeof ADDRESS | typeof DATA): void {
    const added = this.#added[kind];
    if (ranges.length === 0 || added.has(ranges)) return;
    added.add(ranges);
    for (let index = 0; index < ranges.length; index += 2) {
      const own = this.#bytes[rankOf(ranges[index]!)];
      if (own === undefined) continue;
      const first = offsetOf(ranges[index]!);
      const end = Math.min(own.length, first + ranges[index + 1]! - ranges[index]!);
      for (let at = first; at < end; at++) own[at]! |= kind;
    }
  }

  kindAt(address: number): number {
    return this.#bytes[rankOf(address)]?.[offsetOf(address)] ?? DATA;
  }

  /** What some of the bytes of ranges hold. */
  kindsOf(ranges: Ranges): number {
    let kinds = this.#kinds.get(ranges);
    if (kinds !== undefined) return kinds;
    kinds = 0;
    for (let index = 0; index < ranges.length; index += 2)
      for (let at = ranges[index]!; at < ranges[index + 1]!; at++) kinds |= this.kindAt(at);
    this.#kinds.set(ranges, kinds);
    return kinds;
  }
}

/** Ranges without the bytes that hold addresses. */
function withoutWords(ranges: Ranges, isAddress: (at: number) => boolean): number[] {
  const others: number[] = [];
  for (const [from, to] of pairsOf(ranges)) {
    const isOther = (at: number): boolean => isOutside(from) || !isAddress(at);
    for (let at = from, start = from; at <= to; at++) {
      if (at < to && isOther(at)) continue;
      if (at > start) others.push(start, at);
      start = at + 1;
    }
  }
  return others;
}

/** A step, and how many barriers its warp has passed before it. */
interface Joined {
  readonly cta: number;
  readonly step: Step;
  /** Barriers of the block. */
  readonly block: number;
  /** Arrivals at the barrier of the cluster, and waits for it. */
  readonly arrived: number;
  readonly waited: number;
}

/** Words of allocations that are written again behind a barrier, and what does so. */
function reusedWords(code: PtxFunction, warps: readonly WarpSteps[]): [number, Step[]][] {
  const all = warps.flatMap((warp) => joinedSteps(warp, warps));
  return all
    .filter(({ step }) => isAllocation(code, step.at))
    .flatMap((allocation): [number, Step[]][] => {
      const [word] = pairsOf(writesOf(allocation.step))[0] ?? [];
      if (word === undefined) return [];
      const others = all.filter((one) => one !== allocation && hasBytes(writesOf(one.step), word));
      const areLater = others.every((one) => isOrdered(allocation, one));
      return areLater ? [[word, others.map(({ step }) => step)]] : [];
    });
}

function joinedSteps({ cta, steps }: WarpSteps, warps: readonly WarpSteps[]): Joined[] {
  const own = warps.filter((one) => one.cta === cta);
  const threads = own.reduce((sum, one) => sum + one.threads, 0);
  let [block, arrived, waited] = [0, 0, 0];
  return steps.map((step) => {
    if (step.op === 'named' && step.id === 0 && step.isSync && step.threads === threads) block++;
    if (step.op === 'clusterArrive') arrived++;
    if (step.op === 'clusterWait') waited++;
    return { cta, step, block, arrived, waited };
  });
}

/** Whether a barrier of the block or of the cluster orders one step before another. */
function isOrdered(one: Joined, other: Joined): boolean {
  return (one.cta === other.cta && other.block > one.block) || other.waited > one.arrived;
}

/** Whether a write of a word shares other bytes with what a step reads. */
function meetApart(step: Step, write: Step, word: number): boolean {
  const reads = pairsOf(sharedReads(step));
  return pairsOf(writesOf(write)).some(([from, to]) =>
    reads.some(([start, end]) => {
      const [first, last] = [Math.max(from, start), Math.min(to, end)];
      return first < last && (first < word || last > word + WORD_BYTES);
    }),
  );
}

function hasBytes(ranges: Ranges, word: number): boolean {
  return pairsOf(ranges).some(([from, to]) => from < word + WORD_BYTES && to > word);
}

/** What asynchronous work reads in shared memory, whether or not its threads write it. */
function sharedReads(step: Step): Ranges {
  return step.op === 'copy' || step.op === 'use' ? inShared(step.reads) : NONE;
}

/** What a step writes in shared memory. */
function writesOf(step: Step): Ranges {
  if (step.op === 'last') return step.steps.flatMap(writesOf);
  if (step.op === 'init') return [step.barrier, step.barrier + BARRIER_BYTES];
  if (step.op !== 'access' && step.op !== 'copy' && step.op !== 'use') return NONE;
  return inShared(step.writes);
}

const NONE: Ranges = [];

/** The ranges that lie in shared memory: the same object where all do. */
function inShared(ranges: Ranges): Ranges {
  let areAll = true;
  for (let index = 0; index < ranges.length; index += 2) areAll &&= !isOutside(ranges[index]!);
  if (areAll) return ranges;
  return pairsOf(ranges)
    .filter(([from]) => !isOutside(from))
    .flat();
}

function isOutside(address: number): boolean {
  return isGlobal(address) || offsetOf(address) >= TENSOR_MEMORY;
}

function pairsOf(ranges: Ranges): [number, number][] {
  return ranges.flatMap((from, index) => (index % 2 === 0 ? [[from, ranges[index + 1]!]] : []));
}
