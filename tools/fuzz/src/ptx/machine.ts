// What the warps of a few blocks share, and what each action of their lanes does to it.
import { OutOfScope } from './kernel-text.ts';
import { CONTENTS, laneOf, wordsOf, type Action, type LaneGroup } from './lane-group.ts';

/** Expected and pending arrivals, missing bytes, and the parity of the phase. */
type Barrier = readonly [expected: number, pending: number, missing: number, parity: number];
/** A copy on its way: its barrier, and from where it brings how many bytes. */
type Flight = readonly [block: number, barrier: number, to: number, from: number, bytes: number];

/** A value of a clock or of the machine, and the lanes that have read it. */
type Reading = readonly [value: string, lanes: readonly number[]];

/** Everything but the lanes; keys begin with the number of a block. */
export interface Shared {
  readonly barriers: Readonly<Record<string, Barrier>>;
  /** Threads that a named barrier counts, 0 for all, and the warps that have arrived. */
  readonly named: Readonly<Record<string, readonly [count: number, warps: readonly number[]]>>;
  /** Words whose content is known. */
  readonly memory: Readonly<Record<string, string>>;
  readonly flights: readonly Flight[];
  /** By warp and instruction: what some lanes have read of a clock, and others have yet to. */
  readonly clocks: Readonly<Record<string, readonly Reading[]>>;
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

/** The most rounds of a loop that some lanes are ahead in of others, with one value in each. */
const MAX_AHEAD = 2;

/**
 * What a group of a warp may read of a clock, or of the machine: what other lanes have read by the
 * same instruction, in the same round of a loop (the practice H25).
 */
export function readClock(
  shared: Shared,
  { block, warp, lanes, pc }: LaneGroup,
  domain: readonly bigint[],
  live: number,
): (readonly [Shared, bigint])[] {
  const key = `${keyOf(block, warp)}:${pc}`;
  const { [key]: readings = [], ...others } = shared.clocks;
  const withReadings = (next: readonly Reading[]): Shared => ({
    ...shared,
    clocks: next.length === 0 ? others : { ...others, [key]: next },
  });
  const at = readings.findIndex(([, readers]) => !readers.includes(lanes[0]!));
  if (at < 0) {
    const isAlone = lanes.length === live || readings.length === MAX_AHEAD;
    return domain.map((value) => [
      isAlone ? shared : withReadings([...readings, [String(value), lanes]]),
      value,
    ]);
  }
  const [value, readers] = readings[at]!;
  const all = [...readers, ...lanes].toSorted((a, b) => a - b);
  const left = all.length === live ? [] : [[value, all] as const];
  return [[withReadings(readings.toSpliced(at, 1, ...left)), BigInt(value)]];
}

/** A warp whose lanes join has no more readings. */
export function forgetClocks({ clocks }: Shared, block: number, warp: number): Shared['clocks'] {
  const prefix = `${keyOf(block, warp)}:`;
  return Object.fromEntries(Object.entries(clocks).filter(([key]) => !key.startsWith(prefix)));
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
