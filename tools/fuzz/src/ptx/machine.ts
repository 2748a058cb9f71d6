// What the warps of a few blocks share, and what each action of their lanes does to it.
import { OutOfScope } from './kernel-text.ts';
import { CONTENTS, laneOf, wordsOf, type Action, type LaneGroup } from './lane-group.ts';

/** Expected and pending arrivals, missing bytes, and the parity of the phase. */
type Barrier = readonly [expected: number, pending: number, missing: number, parity: number];
/** A copy on its way: its barrier, and from where it brings how many bytes. */
type Flight = readonly [block: number, barrier: number, to: number, from: number, bytes: number];

/** Everything but the lanes; keys begin with the number of a block. */
export interface Shared {
  readonly barriers: Readonly<Record<string, Barrier>>;
  /** Threads that a named barrier counts, 0 for all, and the warps that have arrived. */
  readonly named: Readonly<Record<string, readonly [count: number, warps: readonly number[]]>>;
  /** Words whose content is known. */
  readonly memory: Readonly<Record<string, string>>;
  readonly flights: readonly Flight[];
  /** What each warp has made the registers of its threads: all warps of a block do the same. */
  readonly registers: readonly (readonly number[])[];
}

/** Thrown where an action is not allowed. */
export class Misuse extends Error {}

export const WARP = 32;
export const keyOf = (block: number, barrier: number): string => `${block}:${barrier}`;

function settled(shared: Shared, key: string, change: (barrier: Barrier) => Barrier): Shared {
  const barrier = change(shared.barriers[key]!);
  const [expected, pending, missing, parity] = barrier;
  const isOver = pending === 0 && missing === 0;
  if (isOver && shared.flights.some(([block, at]) => keyOf(block, at) === key))
    throw new Misuse('a phase completes before its copy');
  const next = isOver ? ([expected, expected, 0, 1 - parity] as const) : barrier;
  return { ...shared, barriers: { ...shared.barriers, [key]: next } };
}

/** What the lanes of a group do to an mbarrier, in one step: one phase has to expect all of it. */
export function onBarrier(shared: Shared, { block, lanes }: LaneGroup, action: Action): Shared {
  const [at = 0, amount = 1] = action.numbers;
  const key = keyOf(block, at);
  if (action.do === 'init') {
    if (shared.barriers[key] !== undefined) throw new Misuse('a barrier is initialized twice');
    return { ...shared, barriers: { ...shared.barriers, [key]: [amount, amount, 0, 0] } };
  }
  const each = action.do === 'arrive' ? amount : action.do === 'expect' ? 0 : 1;
  const [count, bytes] = [each * lanes.length, action.do === 'arrive' ? 0 : amount * lanes.length];
  return settled(shared, key, ([expected, pending, missing, parity]) => {
    if (count > pending) throw new Misuse('an arrival too many');
    return [expected, pending - count, missing + bytes, parity];
  });
}

/** A copy begins. */
export function issued(shared: Shared, { block, lanes }: LaneGroup, { numbers }: Action): Shared {
  const [barrier = 0, to = 0, from = 0, bytes = 0] = numbers;
  const flights = lanes.map((): Flight => [block, barrier, to, from, bytes]);
  return { ...shared, flights: [...shared.flights, ...flights].toSorted() };
}

/** A copy completes: what it brings is not known. */
export function completed(shared: Shared, at: number): Shared {
  const [block, barrier, to, , bytes] = shared.flights[at]!;
  const gone = new Set(wordsOf('shared', block, to, bytes));
  const memory = Object.entries(shared.memory).filter(([word]) => !gone.has(word));
  const flights = shared.flights.toSpliced(at, 1);
  const next = { ...shared, flights, memory: Object.fromEntries(memory) };
  return settled(next, keyOf(block, barrier), ([expected, pending, missing, parity]) => [
    expected,
    pending,
    missing - bytes,
    parity,
  ]);
}

/** A load or an atomic access: memory behind it, and what each lane finds, for all contents. */
export function readResults(
  shared: Shared,
  action: Action,
): (readonly [Shared, readonly bigint[]])[] {
  const isUnknown = action.words.some((word) => shared.memory[word] === undefined);
  return (isUnknown ? CONTENTS : [0n]).map((content) => {
    const memory = { ...shared.memory };
    const answer = action.words.map((word, at) => {
      const old = BigInt((memory[word] ??= String(content)));
      if (action.do === 'atom') memory[word] = String(changed(old, action, at));
      return old;
    });
    return [{ ...shared, memory }, answer];
  });
}

function changed(old: bigint, { values, opcode }: Action, at: number): bigint {
  const [a = 0n, b = 0n] = values.map((value) => laneOf(value, at));
  if (opcode.includes('.cas')) return old === a ? b : old;
  if (opcode.includes('.exch')) return a;
  if (opcode.includes('.add')) return BigInt.asUintN(32, old + a);
  throw new OutOfScope(opcode);
}

/** Memory behind a store. */
export function stored(shared: Shared, { words, values }: Action, lanes: number): Shared {
  const width = words.length / lanes;
  const content = words.map((word, at) => {
    const value = laneOf(values[0]!, Math.floor(at / width));
    return [word, String(value >> BigInt(32 * (at % width)))];
  });
  return { ...shared, memory: { ...shared.memory, ...Object.fromEntries(content) } };
}

/** `setmaxnreg` of a warp of some that are numbered alike; `null` while there are too few. */
export function withRegisters(
  shared: Shared,
  warp: number,
  block: readonly number[],
  { opcode, numbers: [count = 0] }: Action,
): Shared | null {
  const last = (at: number): number => shared.registers[at]!.at(-1)!;
  const isWrong = opcode.includes('.inc') ? count < last(warp) : count > last(warp);
  if (isWrong || count < 24 || count > 256 || count % 8 !== 0) throw new Misuse('registers');
  const all = block.reduce((sum, at) => sum + shared.registers[at]![0]!, 0);
  const used = block.reduce((sum, at) => sum + (at === warp ? count : last(at)), 0);
  if (used > all) return null;
  const changes = [...shared.registers[warp]!, count];
  return { ...shared, registers: shared.registers.with(warp, changes) };
}
