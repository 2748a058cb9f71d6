// What the warps of a few blocks share, and what each action of their lanes does to it.
import {
  CONTENTS,
  OutOfScope,
  type Action,
  type Copy,
  type LaneGroup,
  type Value,
} from './lane-group.ts';

/** Expected and pending arrivals, missing bytes, and the parity of the phase. */
type Barrier = readonly [expected: bigint, pending: bigint, missing: bigint, parity: bigint];

/** A copy on its way. */
export type Flight = Copy & { readonly block: number };

/** Everything but the lanes; keys begin with the number of a block, or `g` for global memory. */
export interface Shared {
  readonly barriers: Readonly<Record<string, Barrier>>;
  /** Threads that a named barrier counts, `null` for all, and the warps that have arrived. */
  readonly named: Readonly<Record<string, readonly [count: bigint | null, warps: number[]]>>;
  /** Words that some load reads and whose content is known. */
  readonly memory: Readonly<Record<string, bigint>>;
  readonly flights: readonly Flight[];
  /** Registers that no warp of a block has, by block, and of each thread, by warp. */
  readonly free: readonly number[];
  readonly registers: readonly number[];
}

/** Thrown where an action is not allowed. */
export class Misuse extends Error {}

const WORD_BYTES = 4n;

/** The words of a range. */
export function wordsOf(space: string, block: number, address: bigint, bytes: bigint): string[] {
  const scope = space === 'shared' ? block : 'g';
  const words: string[] = [];
  for (let word = address / WORD_BYTES; word * WORD_BYTES < address + bytes; word++)
    words.push(`${scope}:${word}`);
  return words;
}

export const barrierKey = (block: number, address: bigint): string => `${block}:${address}`;

function settled(
  shared: Shared,
  key: string,
  [expected, pending, missing, parity]: Barrier,
): Shared {
  const isOver = pending === 0n && missing === 0n;
  const open = shared.flights.some((each) => barrierKey(each.block, each.barrier) === key);
  if (isOver && open) throw new Misuse('a phase completes before its copy');
  const next: Barrier = isOver
    ? [expected, expected, 0n, 1n - parity]
    : [expected, pending, missing, parity];
  return { ...shared, barriers: { ...shared.barriers, [key]: next } };
}

/** What the lanes of a group do to an mbarrier. */
export function onBarrier(
  shared: Shared,
  { block, lanes }: LaneGroup,
  action: Extract<Action, { readonly do: 'init' | 'expect' | 'arrive' }>,
): Shared {
  const key = barrierKey(block, action.barrier);
  if (action.do === 'init') {
    if (shared.barriers[key] !== undefined) throw new Misuse('a barrier is initialized twice');
    const { count } = action;
    return { ...shared, barriers: { ...shared.barriers, [key]: [count, count, 0n, 0n] } };
  }
  let next = shared;
  for (const _lane of lanes) {
    const [expected, pending, missing, parity] = next.barriers[key]!;
    const [count, bytes] =
      action.do === 'arrive' ? [action.count, action.bytes] : [0n, action.count];
    if (count > pending) throw new Misuse('an arrival too many');
    next = settled(next, key, [expected, pending - count, missing + bytes, parity]);
  }
  return next;
}

/** A copy completes: what it brings is not known. */
export function landed(shared: Shared, at: number): Shared {
  const { block, barrier, to, bytes } = shared.flights[at]!;
  const key = barrierKey(block, barrier);
  const gone = new Set(wordsOf('shared', block, to, bytes));
  const memory = Object.fromEntries(
    Object.entries(shared.memory).filter(([word]) => !gone.has(word)),
  );
  const [expected, pending, missing, parity] = shared.barriers[key]!;
  const flights = shared.flights.toSpliced(at, 1);
  return settled({ ...shared, memory, flights }, key, [expected, pending, missing - bytes, parity]);
}

/** All contents that words without a known one may have; those of one access have the same. */
export function contents(shared: Shared, words: readonly string[]): Shared[] {
  const unknown = words.filter((word) => shared.memory[word] === undefined);
  if (unknown.length === 0) return [shared];
  return CONTENTS.map((value) => {
    const filled = Object.fromEntries(unknown.map((word) => [word, value]));
    return { ...shared, memory: { ...shared.memory, ...filled } };
  });
}

/** An atomic access by one lane after the other, and what each of them finds. */
export function atomically(
  shared: Shared,
  words: readonly string[],
  kind: string,
  operands: readonly Value[],
): { readonly shared: Shared; readonly answer: bigint[] } {
  const memory: Record<string, bigint> = { ...shared.memory };
  const answer = words.map((word, at) => {
    const [a, b] = operands.map((each) => (typeof each === 'bigint' ? each : each[at]!));
    const old = memory[word]!;
    const results: Readonly<Record<string, bigint>> = {
      add: BigInt.asUintN(32, old + a!),
      exch: a!,
      cas: old === a ? (b ?? 0n) : old,
    };
    if (results[kind] === undefined) throw new OutOfScope(kind);
    memory[word] = results[kind];
    return old;
  });
  return { shared: { ...shared, memory }, answer };
}

/** `setmaxnreg` of a warp; `null` while there are too few. */
export function withRegisters(
  shared: Shared,
  { block, isMore, count, warp }: { block: number; isMore: boolean; count: number; warp: number },
): Shared | null {
  const has = shared.registers[warp]!;
  const isAllowed = count >= 24 && count <= 256 && count % 8 === 0;
  if (!isAllowed || (isMore ? count < has : count > has)) throw new Misuse('a number of registers');
  const left = shared.free[block]! - (count - has) * 32;
  if (left < 0) return null;
  const { free, registers } = shared;
  return { ...shared, free: free.with(block, left), registers: registers.with(warp, count) };
}
