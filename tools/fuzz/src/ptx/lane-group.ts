// Lanes of one warp that have executed the same instructions: what they do next.
import { bytesOf, isRegister, OutOfScope } from './kernel-text.ts';
import { computed, requireKnown } from './arithmetic.ts';
import type { Instruction, KernelText } from './kernel-text.ts';

/** A value of all lanes, or one of each. */
export type Value = bigint | readonly bigint[];

/** Lanes that are at one instruction. */
export interface LaneGroup {
  readonly block: number;
  readonly warp: number;
  readonly lanes: readonly number[];
  /** Where the lanes joined last: which of them are one group depends on it. */
  readonly segment: number;
  readonly pc: number;
  readonly registers: ReadonlyMap<string, Value>;
  /** Whether it has arrived at the barrier at which it is, or has ended. */
  readonly waits: boolean;
}

/** What lanes do that others can notice, or that has an answer. */
export type Verb =
  | ('end' | 'choose' | 'load' | 'store' | 'atom' | 'join' | 'bar' | 'copy' | 'registers')
  | ('init' | 'expect' | 'arrive' | 'arriveExpecting' | 'try');

/** What the lanes of a group do next. */
export interface Action {
  readonly do: Verb;
  readonly opcode: string;
  /** Operands that all lanes have alike, in the order of the table of verbs. */
  readonly numbers: readonly number[];
  /** The words that an access touches, of one lane after the other. */
  readonly words: readonly string[];
  /** Operands of each lane: what is stored, added, compared with. */
  readonly values: readonly Value[];
  /** Whether the access may meet others of its kind: atomic, or not weak. */
  readonly isStrong: boolean;
  /** What is stored, if the text has the number: equal stores do not race. */
  readonly constant: string;
  /** What an unknown number may be, and the register that has it: none for the target. */
  readonly domain: readonly bigint[];
  readonly register: string;
}

const NOTHING = {
  opcode: '',
  numbers: [],
  words: [],
  values: [],
  isStrong: false,
  constant: '',
  domain: [],
  register: '',
};
/** Values that a clock, the machine, or a content that is not known may have. */
const CLOCKS = [0n, 1n, 1n << 20n, (1n << 20n) + 1n];
const MACHINE = [0n, 1n, 7n];
export const CONTENTS = [0n, 1n, 2n, 3n, 6n];
const BITS = [0n, 1n];
const MAX_SILENT = 10_000;
const WORD_BYTES = 4;

/** By opcode: the verb, and its operands that all lanes have alike. */
const VERBS: readonly (readonly [opcode: RegExp, verb: Verb, operands: readonly number[]])[] = [
  [/^(ret|exit)/, 'end', []],
  [/^mov/, 'choose', []],
  [/^ld/, 'load', []],
  [/^st/, 'store', []],
  [/^(atom|red)/, 'atom', []],
  [/^bar\.warp\.sync/, 'join', [0]],
  [/^bar\.sync/, 'bar', [0, 1]],
  [/^mbarrier\.init/, 'init', [0, 1]],
  [/^mbarrier\.expect_tx/, 'expect', [0, 1]],
  [/^mbarrier\.arrive\.expect_tx/, 'arriveExpecting', [1, 2]],
  [/^mbarrier\.arrive\.(?!noComplete)/, 'arrive', [1, 2]],
  [/^mbarrier\.(try|test)_wait\.parity/, 'try', [1, 2]],
  [/^cp\.async\.bulk\.shared(?!.*multicast)/, 'copy', [3, 0, 1, 2]],
  [/^setmaxnreg/, 'registers', [0]],
];

/** Thrown where lanes of one group differ: the exploration begins again with finer groups. */
export class Divergence extends Error {
  readonly group: LaneGroup;
  readonly lanes: readonly number[];

  constructor(group: LaneGroup, lanes: readonly number[]) {
    super('lanes diverge');
    this.group = group;
    this.lanes = lanes;
  }
}

/** Thrown where a register is read that was not written; its name is the message. */
class Undefined extends Error {}

/** What the launch decides: special registers and parameters. */
export type Facts = (name: string, group: LaneGroup, lane: number) => bigint | undefined;

/** The words of a range; those of shared memory begin with their block. */
export function wordsOf(space: string, block: number, address: number, bytes: number): string[] {
  const words: string[] = [];
  for (let word = Math.floor(address / WORD_BYTES); word * WORD_BYTES < address + bytes; word++)
    words.push(`${space === 'shared' ? block : 'global'}:${word}`);
  return words;
}

/** Executes the instructions that no other lane notices, and says what comes next. */
export class LaneInterpreter {
  readonly #kernel: KernelText;
  readonly #facts: Facts;

  constructor(kernel: KernelText, facts: Facts) {
    this.#kernel = kernel;
    this.#facts = facts;
  }

  /** The group after its silent instructions, at one that is visible, or at its end. */
  settle(start: LaneGroup): LaneGroup {
    let group = start;
    let next: LaneGroup | null = start;
    for (let executed = 0; next !== null; executed++) {
      if (executed > MAX_SILENT) throw new OutOfScope('a loop without an effect');
      group = next;
      next = this.#behindSilent(group);
    }
    const live = this.#kernel.live[Math.min(group.pc, this.#kernel.code.length)]!;
    const needed = [...group.registers].filter(([name]) => live.has(name));
    return { ...group, registers: new Map(needed.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
  }

  /** The group behind a silent instruction; `null` if it is at none, or needs a register first. */
  #behindSilent(group: LaneGroup): LaneGroup | null {
    const one = this.#kernel.code[group.pc];
    if (one === undefined) return null;
    try {
      const guard = this.#guard(group, one);
      if (guard === 0n) return { ...group, pc: group.pc + 1 };
      const isBranch = one.opcode.startsWith('bra');
      if (isBranch || isStop(one)) this.#uniform(group, guard);
      if (isBranch) return { ...group, pc: this.#kernel.labels.get(one.operands[0]!)! };
      if (isStop(one)) return null;
      return { ...group, pc: group.pc + 1, registers: this.#silent(group, one, guard) };
    } catch (error) {
      if (error instanceof Undefined) return null;
      throw error;
    }
  }

  /** The group behind the instruction at which it is, with an answer. */
  behind(group: LaneGroup, answer?: Value): LaneGroup {
    const { target } = this.#kernel.code[group.pc]!;
    const isWanted = answer !== undefined && this.#kernel.deciding.has(target);
    const next = isWanted ? withRegister(group, target, answer) : group;
    return this.settle({ ...next, pc: group.pc + 1, waits: false });
  }

  /** The group with a value for a register that was never written. */
  defined(group: LaneGroup, register: string, value: bigint): LaneGroup {
    return this.settle(withRegister(group, register, value));
  }

  actionOf(group: LaneGroup): Action {
    const one = this.#kernel.code[group.pc];
    if (one === undefined) return { do: 'end', ...NOTHING };
    try {
      const guard = this.#guard(group, one);
      if (isStop(one)) return this.#action(group, one);
      this.#silent(group, one, guard);
      throw new OutOfScope(one.opcode);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      const domain = error.message.startsWith('%p') ? BITS : CONTENTS;
      return { ...NOTHING, do: 'choose', domain, register: error.message };
    }
  }

  #action(group: LaneGroup, one: Instruction): Action {
    const { opcode, operands, target, parts } = one;
    const found = VERBS.find(([pattern]) => pattern.test(opcode));
    if (found === undefined) throw new OutOfScope(opcode);
    const [, verb, wanted] = found;
    const isDeciding = this.#kernel.deciding.has(target);
    const domain = /clock|timer/.test(operands[1] ?? '') ? CLOCKS : MACHINE;
    const numbers = wanted
      .filter((at) => at < operands.length)
      .map((at) => Number(this.#uniform(group, this.#read(group, operands[at]!))));
    const action = { ...NOTHING, do: verb, opcode, numbers, domain: isDeciding ? domain : [0n] };
    const isAccess = verb === 'load' || verb === 'store' || verb === 'atom';
    if (!isAccess) return action;
    const place = opcode.startsWith('st') || opcode.startsWith('red') ? 0 : 1;
    const address = this.#read(group, operands[place]!);
    const space = /\.(shared|global)/.exec(opcode)?.[1] ?? '';
    const bytes = bytesOf(parts.at(-1)!);
    if (space === '' || bytes % WORD_BYTES !== 0) throw new OutOfScope(opcode);
    const words = group.lanes.flatMap((_, at) =>
      wordsOf(space, group.block, Number(laneOf(address, at)), bytes),
    );
    const values = operands.slice(place + 1).map((each) => this.#data(group, each));
    const isStrong = /^(atom|red)|volatile|relaxed|acquire|release/.test(opcode);
    const constant = verb === 'store' && /^-?\d/.test(operands[1]!) ? operands[1]! : '';
    return { ...action, words, values, isStrong, constant };
  }

  #guard(group: LaneGroup, { guard, isNegated }: Instruction): Value {
    if (guard === '') return 1n;
    return mapped([this.#read(group, guard)], (each = 0n) => (isNegated ? 1n - each : each));
  }

  #silent(group: LaneGroup, one: Instruction, guard: Value): ReadonlyMap<string, Value> {
    const { target, parts, operands } = one;
    requireKnown(one);
    if (!this.#kernel.deciding.has(target)) return group.registers;
    const sources = operands.slice(1).map((each) => this.#read(group, each));
    const result = mapped(sources, (...values) => computed(parts, values));
    const old = guard === 1n ? 0n : this.#read(group, target);
    const value = mapped([guard, result, old], (is, then = 0n, other = 0n) =>
      is === 1n ? then : other,
    );
    return withRegister(group, target, value).registers;
  }

  /** The value of an operand: a register, a number, a variable, an address in brackets. */
  #read(group: LaneGroup, operand: string): Value {
    const [, base = '', offset = '0'] = /^\[?(-?[%\w$.]+)(?:\s*\+\s*(-?\w+))?\]?$/.exec(
      operand,
    ) ?? [operand];
    const symbol = this.#symbol(group, base);
    return offset === '0' ? symbol : mapped([symbol], (each = 0n) => each + BigInt(offset));
  }

  #symbol(group: LaneGroup, name: string): Value {
    if (/^-?(0x[\da-f]+|\d+)$/i.test(name))
      return name.startsWith('-') ? -BigInt(name.slice(1)) : BigInt(name);
    const known = group.registers.get(name) ?? this.#kernel.shared.get(name);
    if (known !== undefined) return known;
    if (isRegister(name)) throw new Undefined(name);
    return simplified(
      group.lanes.map((lane) => {
        const fact = this.#facts(name, group, lane);
        if (fact === undefined) throw new OutOfScope(name);
        return fact;
      }),
    );
  }

  /** One value of all lanes; where lanes have others, they are groups of their own. */
  #uniform(group: LaneGroup, value: Value): bigint {
    if (typeof value === 'bigint') return value;
    throw new Divergence(
      group,
      group.lanes.filter((_, at) => value[at] === value[0]),
    );
  }

  /** A value to store; one that decides nothing is not computed. */
  #data(group: LaneGroup, operand: string): Value {
    return isRegister(operand) && !this.#kernel.deciding.has(operand)
      ? -1n
      : this.#read(group, operand);
  }
}

/** Whether an instruction is an action. */
const isStop = ({ opcode, isVisible }: Instruction): boolean =>
  isVisible || /^(ret|exit)/.test(opcode);

export const laneOf = (value: Value, at: number): bigint =>
  typeof value === 'bigint' ? value : value[at]!;

/** One value where all lanes have the same. */
export function simplified(value: readonly bigint[]): Value {
  return value.every((each) => each === value[0]) ? value[0]! : value;
}

function mapped(values: readonly Value[], compute: (...values: bigint[]) => bigint): Value {
  const list = values.find((value) => typeof value !== 'bigint');
  if (list === undefined) return compute(...(values as bigint[]));
  return simplified(list.map((_, at) => compute(...values.map((value) => laneOf(value, at)))));
}

function withRegister(group: LaneGroup, name: string, value: Value): LaneGroup {
  return { ...group, registers: new Map(group.registers).set(name, value) };
}
