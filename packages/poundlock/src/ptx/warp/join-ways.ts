// What registers hold where two ways of a branch on unknown data meet: a value that both have, or
// one that follows from the predicate and the two: warps that compute the same have the same.
import { registersIn } from '../flow/liveness.ts';
import type { Region } from '../flow/quiet-region.ts';
import type { Instruction } from '../text/module.ts';
import { LANES } from '../values/register-file.ts';
import { isOutOfOrder, mix, negate, seedOf, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
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

  constructor({ registers: file }: Warp, registers: readonly number[]) {
    this.#registers = registers;
    this.#low = new Uint32Array(registers.length * LANES);
    this.#high = new Uint32Array(registers.length * LANES);
    this.#known = Int32Array.from(registers, (register) => file.known[register]!);
    this.#perLane = Uint8Array.from(registers, (register) => file.perLane[register]!);
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
    }
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

/** The identity of a predicate or of its opposite, whichever comes first. */
interface Choice {
  readonly low: number;
  readonly high: number;
  /** Whether it is that of the opposite. */
  readonly isOpposite: boolean;
}

/** What decides the branch in all lanes of a mask; `null` where lanes may go different ways. */
function choiceOf({ program, registers }: Warp, at: number, mask: number): Choice | null {
  const guard = program.guards[at]!;
  if (guard < 0 || !registers.isOneTerm(guard, mask, out)) return null;
  const { low, high } = out;
  negate(out);
  const isOpposite = isOutOfOrder(low, high, out.low, out.high);
  return isOpposite ? { ...out, isOpposite } : { low, high, isOpposite };
}

const first: Wide = { low: 0, high: 0 };
const second: Wide = { low: 0, high: 0 };

/** Writes what registers hold where the ways meet, from their values at the end of each. */
function merge(
  { registers: file, lanes }: Warp,
  list: readonly number[],
  mask: number,
  choice: Choice,
  ifTrue: Values,
  ifFalse: Values,
): void {
  for (const [index, register] of list.entries()) {
    const isOne = !ifTrue.isPerLane(index) && !ifFalse.isPerLane(index);
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const isFirstKnown = ifTrue.read(index, lane, first);
      const isSecondKnown = ifFalse.read(index, lane, second);
      const isEqual =
        isFirstKnown === isSecondKnown && first.low === second.low && first.high === second.high;
      if (isEqual) {
        out.low = first.low;
        out.high = first.high;
      } else {
        start(out, SEED);
        mix(out, choice.low, choice.high, 0);
        if (choice.isOpposite) mix(out, second.low, second.high, isSecondKnown ? 1 : 0);
        mix(out, first.low, first.high, isFirstKnown ? 1 : 0);
        if (!choice.isOpposite) mix(out, second.low, second.high, isSecondKnown ? 1 : 0);
      }
      const isKnown = isEqual && isFirstKnown;
      file.setUniform(register, out, isKnown, isOne ? mask : 1 << lane, lanes);
      if (isOne) break;
    }
  }
}

/** Executes a way without certainty; whether it comes to where the ways meet. */
function go(warp: Warp, way: number, mask: number, meeting: number): boolean {
  if (way === meeting) return true;
  const { stack, isUncertain } = warp;
  warp.isUncertain = true;
  warp.stack = new SimtStack(0);
  warp.stack.push(way, mask, meeting);
  const stop = warp.run(MAX_JOINED);
  warp.isUncertain = isUncertain;
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
  if (instructions.length > MAX_JOINED || warp.isLast) return false;
  if (warp.parted !== null || warp.shadow.isOpen) return false;
  if (instructions.some((at) => program.code.instructions[at]!.parts[0] === 'st')) return false;
  const choice = choiceOf(warp, branch.index, mask);
  if (choice === null) return false;
  const before = new Values(warp, writes);
  const isLive = new Set(registersIn(program.liveBefore(meeting)));
  const live = writes.filter((register) => isLive.has(register));
  const ends: Values[] = [];
  for (const way of [branch.targets[0]!, branch.index + 1]) {
    const hasCome = go(warp, way, mask, meeting);
    ends.push(new Values(warp, live));
    before.restore(warp);
    if (!hasCome) return false;
  }
  const [taken, fallen] = program.isNegated[branch.index] === 1 ? ends.toReversed() : ends;
  merge(warp, live, mask, choice, taken!, fallen!);
  warp.stack.counter = meeting;
  return true;
}
