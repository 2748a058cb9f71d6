// What registers hold where two ways of a branch on unknown data meet: a value that both have, or
// one that follows from the predicate and the two: warps that compute the same have the same.
import { isStore } from '../../isa/questions.ts';
import { registersIn } from '../../flow/liveness.ts';
import type { Region } from './quiet-region.ts';
import type { Instruction } from '../../text/module.ts';
import { heldBefore, of, originOf, pick, settle } from '../origins/expressions.ts';
import { fixed, inAllLanes } from '../origins/fixed.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import { isOutOfOrder, mix, negate, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import { SimtStack } from './stack.ts';
import type { Warp } from './warp.ts';

/** The most instructions between a branch and where its ways meet. */
const MAX_JOINED = 512;
const SEED = seedOf('one of two');

const out: Wide = { low: 0, high: 0 };

/** Values of some registers at one time, a slot for each lane. */
class Values {
  readonly #registers: readonly number[];
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #known: Int32Array;
  readonly #perLane: Uint8Array;
  readonly #origins: readonly (Origin | null)[];
  readonly #existing: number;

  constructor({ registers: file }: Warp, registers: readonly number[]) {
    this.#registers = registers;
    this.#existing = file.existing;
    this.#low = new Uint32Array(registers.length * LANES);
    this.#high = new Uint32Array(registers.length * LANES);
    this.#known = Int32Array.from(registers, (register) => file.known[register]!);
    this.#perLane = Uint8Array.from(registers, (register) => file.perLane[register]!);
    this.#origins = registers.map((register) => file.origins[register]!);
    for (const [index, register] of registers.entries()) {
      const from = register * LANES;
      this.#low.set(file.low.subarray(from, from + LANES), index * LANES);
      this.#high.set(file.high.subarray(from, from + LANES), index * LANES);
    }
  }

  restore({ registers: file }: Warp): void {
    for (const [index, register] of this.#registers.entries()) {
      const from = index * LANES;
      file.low.set(this.#low.subarray(from, from + LANES), register * LANES);
      file.high.set(this.#high.subarray(from, from + LANES), register * LANES);
      file.known[register] = this.#known[index]!;
      file.perLane[register] = this.#perLane[index]!;
      file.setOrigin(register, this.#origins[index]!);
    }
  }

  /** Whether the register at an index is computed from what is followed. */
  hasOrigin(index: number): boolean {
    return this.#origins[index] !== null;
  }

  /** What the register at an index holds, as an expression. */
  originOf(index: number): Origin {
    const isUniform = this.#perLane[index] === 0;
    const from = index * LANES;
    const end = from + (isUniform ? 1 : LANES);
    const low = this.#low.slice(from, end);
    const high = this.#high.slice(from, end);
    const own = this.#origins[index]!;
    if (own !== null && (own.evaluate !== null || own === OPAQUE)) return own;
    const known = inAllLanes(low, high, this.#known[index]!, this.#existing);
    const values = fixed(low, high, known, isUniform);
    return own === null ? values : of(own, values);
  }

  /** Reads a lane of the register at an index; whether it is known. */
  read(index: number, lane: number, value: Wide): boolean {
    const slot = index * LANES + (this.#perLane[index] === 0 ? 0 : lane);
    value.low = this.#low[slot]!;
    value.high = this.#high[slot]!;
    return ((this.#known[index]! >>> lane) & 1) === 1;
  }

  isPerLane(index: number): boolean {
    return this.#perLane[index] === 1;
  }
}

/** What decides a branch in a lane, or in all: which way it goes, or what an unknown value is. */
type Choice =
  | { readonly isKnown: true; readonly isTrue: boolean }
  | {
      readonly isKnown: false;
      /** The identity of a predicate or of its opposite, whichever comes first. */
      readonly low: number;
      readonly high: number;
      /** Whether it is that of the opposite. */
      readonly isOpposite: boolean;
    };

/** What a predicate is in each lane of a mask, or once for all of them. */
function choicesOf(warp: Warp, guard: number, mask: number): Choice[] {
  const isOne = warp.registers.perLane[guard] === 0;
  return lanesOf(isOne ? mask & -mask : mask).map((lane) => choiceOf(warp, guard, lane));
}

/** The lanes in which a predicate may be true, or false. */
function lanesWhere(choices: readonly Choice[], mask: number, isTrue: boolean): number {
  const isPossible = (choice: Choice): boolean => !choice.isKnown || choice.isTrue === isTrue;
  if (choices.length === 1) return isPossible(choices[0]!) ? mask : 0;
  return lanesOf(mask).reduce(
    (lanes, lane, number) => (isPossible(choices[number]!) ? lanes | (1 << lane) : lanes),
    0,
  );
}

/** What a predicate is in a lane; where all lanes share a slot, in each of them. */
function choiceOf({ registers }: Warp, guard: number, lane: number): Choice {
  const slot = registers.slot(guard, lane);
  const low = registers.low[slot]!;
  const high = registers.high[slot]!;
  if (registers.isKnown(guard, lane)) return { isKnown: true, isTrue: low !== 0 };
  out.low = low;
  out.high = high;
  negate(out);
  const isOpposite = isOutOfOrder(low, high, out.low, out.high);
  return isOpposite
    ? { isKnown: false, ...out, isOpposite }
    : { isKnown: false, low, high, isOpposite };
}

const first: Wide = { low: 0, high: 0 };
const second: Wide = { low: 0, high: 0 };

/** Leaves in `out` what a register holds in a lane where the ways meet; whether it is known. */
function joined(
  choice: Choice,
  ifTrue: Values,
  ifFalse: Values,
  index: number,
  lane: number,
): boolean {
  const isFirstKnown = ifTrue.read(index, lane, first);
  const isSecondKnown = ifFalse.read(index, lane, second);
  const isEqual =
    isFirstKnown === isSecondKnown && first.low === second.low && first.high === second.high;
  if (isEqual || choice.isKnown) {
    const isSecond = choice.isKnown && !choice.isTrue;
    const { low, high } = isSecond ? second : first;
    out.low = low;
    out.high = high;
    return isSecond ? isSecondKnown : isFirstKnown;
  }
  start(out, SEED);
  mix(out, choice.low, choice.high, 0);
  if (choice.isOpposite) mix(out, second.low, second.high, isSecondKnown ? 1 : 0);
  mix(out, first.low, first.high, isFirstKnown ? 1 : 0);
  if (!choice.isOpposite) mix(out, second.low, second.high, isSecondKnown ? 1 : 0);
  return false;
}

/** Writes what registers hold where the ways meet, from their values at the end of each. */
function merge(
  warp: Warp,
  list: readonly number[],
  mask: number,
  { guard, choices }: Joined,
  ifTrue: Values,
  ifFalse: Values,
): void {
  const { registers: file, lanes } = warp;
  const all = lanesOf(mask);
  const decided = originOf(file, guard);
  const isFollowed = file.depends[guard] === 1;
  for (const [index, register] of list.entries()) {
    const has = isFollowed || ifTrue.hasOrigin(index) || ifFalse.hasOrigin(index);
    const both = [decided, ifTrue.originOf(index), ifFalse.originOf(index)];
    const origin = has ? pick(-1, false, both) : null;
    const isSettled = has || file.depends[register] === 1;
    const before = isSettled ? heldBefore(warp, mask, register) : null;
    const isOne = choices.length === 1 && !ifTrue.isPerLane(index) && !ifFalse.isPerLane(index);
    for (const [number, lane] of (isOne ? all.slice(0, 1) : all).entries()) {
      const choice = choices[choices.length === 1 ? 0 : number]!;
      const isKnown = joined(choice, ifTrue, ifFalse, index, lane);
      file.setUniform(register, out, isKnown, isOne ? mask : 1 << lane, lanes);
    }
    if (isSettled) settle(warp, mask, register, origin, before);
  }
}

/** What decides a branch: a predicate, and what it is in each lane. */
interface Joined {
  readonly guard: number;
  readonly choices: readonly Choice[];
}

/** Executes a way without certainty; whether it comes to where the ways meet. */
function go(warp: Warp, way: number, mask: number, meeting: number): boolean {
  if (way === meeting || mask === 0) return true;
  const { stack, mode } = warp;
  const stop = mode.inDoubt(mode.doubt, () => {
    warp.stack = new SimtStack(0);
    warp.stack.push(way, mask, meeting);
    return warp.run(MAX_JOINED);
  });
  warp.stack = stack;
  return stop === 'ended';
}

/**
 * Executes both ways of a branch that only registers show, and joins what they write; `false` where
 * that cannot be, and nothing has changed.
 */
export function joinWays(warp: Warp, branch: Instruction, mask: number, region: Region): boolean {
  const { program } = warp;
  const { instructions, meeting, isLoop, trap, exchange, writes } = region;
  if (isLoop || trap !== null || exchange !== null || branch.targets.length !== 1) return false;
  if (instructions.length > MAX_JOINED || warp.mode.isLast) return false;
  if (warp.apart.parted !== null || warp.shadow.isOpen) return false;
  if (instructions.some((at) => isStore(program.code.instructions[at]!))) return false;
  const guard = program.guards[branch.index]!;
  if (guard < 0) return false;
  const before = new Values(warp, writes);
  const isLive = new Set(registersIn(program.liveBefore(meeting)));
  const live = writes.filter((register) => isLive.has(register));
  const ends: Values[] = [];
  const choices = choicesOf(warp, guard, mask);
  const isNegated = program.isNegated[branch.index] === 1;
  for (const isTaken of [true, false]) {
    const way = isTaken ? branch.targets[0]! : branch.index + 1;
    const hasCome = go(warp, way, lanesWhere(choices, mask, isTaken !== isNegated), meeting);
    ends.push(new Values(warp, live));
    before.restore(warp);
    if (!hasCome) return false;
  }
  const [ifTrue, ifFalse] = isNegated ? ends.toReversed() : ends;
  merge(warp, live, mask, { guard, choices }, ifTrue!, ifFalse!);
  warp.stack.counter = meeting;
  return true;
}
