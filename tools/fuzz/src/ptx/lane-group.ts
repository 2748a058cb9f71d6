// Lanes of one warp that have executed the same instructions: what they do next.
import { bytesOf, isVisible, targetOf, type Instruction, type KernelText } from './kernel-text.ts';
import { computeOf, type Compute } from './arithmetic.ts';

/** A value of all lanes, or one of each. */
export type Value = bigint | readonly bigint[];

/** Where a warp is. */
export interface Warp {
  readonly block: number;
  readonly warp: number;
}

/** Lanes that are at one instruction. */
export interface LaneGroup extends Warp {
  readonly lanes: readonly number[];
  /** Where the lanes joined last: which of them are one group depends on it. */
  readonly segment: number;
  readonly pc: number;
  readonly registers: ReadonlyMap<string, Value>;
  /** Whether it has arrived at the barrier at which it is. */
  readonly waits: boolean;
}

/** An access to bytes by lanes: an address of each. */
interface Access {
  readonly space: 'shared' | 'global';
  readonly addresses: readonly bigint[];
  readonly bytes: number;
  /** Whether it may meet others: volatile, relaxed, acquire or release. */
  readonly isStrong: boolean;
}

/** What the lanes of a group do next that others can notice, or that has an answer. */
export type Action =
  | { readonly do: 'end' }
  | { readonly do: 'choose'; readonly domain: readonly bigint[]; readonly register: string }
  | (Access & { readonly do: 'load'; readonly isWanted: boolean })
  | (Access & { readonly do: 'store'; readonly values: readonly bigint[] })
  | (Access & { readonly do: 'atom'; readonly kind: string; readonly operands: readonly Value[] })
  | { readonly do: 'bar'; readonly id: bigint; readonly count: bigint | null }
  | { readonly do: 'join'; readonly lanes: readonly number[] }
  | { readonly do: 'init' | 'expect'; readonly barrier: bigint; readonly count: bigint }
  | Arrival
  | { readonly do: 'try'; readonly barrier: bigint; readonly parity: bigint }
  | Copy
  | { readonly do: 'registers'; readonly isMore: boolean; readonly count: bigint };

interface Arrival {
  readonly do: 'arrive';
  readonly barrier: bigint;
  readonly count: bigint;
  readonly bytes: bigint;
}

/** A bulk copy into shared memory. */
export interface Copy {
  readonly do: 'copy';
  readonly to: bigint;
  readonly from: bigint;
  readonly bytes: bigint;
  readonly barrier: bigint;
}

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

/** Thrown where a kernel is beyond what is interpreted. */
export class OutOfScope extends Error {}

/** A register that was not written. */
class Undefined extends Error {
  readonly register: string;

  constructor(register: string) {
    super(register);
    this.register = register;
  }
}

/** Values that a clock, memory or a register without a known content may have. */
const CLOCKS = [0n, 1n, 1n << 20n, (1n << 20n) + 1n];
const MACHINE = [0n, 1n, 7n];
export const CONTENTS = [0n, 1n, 2n, 3n, 6n];
const MAX_SILENT = 10_000;

/** What the launch decides: special registers and parameters. */
export type Facts = (name: string, group: Warp, lane: number) => bigint | undefined;

/** Executes the instructions that no other lane notices, and says what comes next. */
export class LaneInterpreter {
  readonly #kernel: KernelText;
  readonly #facts: Facts;
  readonly #computes: readonly (Compute | null)[];

  constructor(kernel: KernelText, facts: Facts) {
    this.#kernel = kernel;
    this.#facts = facts;
    this.#computes = kernel.code.map(({ parts }) => computeOf(parts));
  }

  /** The group after its silent instructions, at one that is visible, or at its end. */
  settle(group: LaneGroup): LaneGroup {
    let [pc, registers] = [group.pc, new Map(group.registers)];
    const at = (): LaneGroup => ({ ...group, pc, registers });
    for (let executed = 0; ; executed++) {
      if (executed > MAX_SILENT) throw new OutOfScope('a loop without an effect');
      const one = this.#kernel.code[pc];
      if (one === undefined) break;
      try {
        const guard = this.#guard(at(), one);
        const [name = ''] = one.parts;
        if (guard === 0n) pc++;
        else if (isVisible(one) || name === 'ret' || name === 'exit') {
          this.#uniform(at(), guard);
          break;
        } else if (name === 'bra') {
          this.#uniform(at(), guard);
          pc = this.#kernel.labels.get(one.operands[0]!)!;
        } else {
          registers = new Map(this.#silent(at(), one, guard));
          pc++;
        }
      } catch (error) {
        if (!(error instanceof Undefined)) throw error;
        break;
      }
    }
    const live = this.#kernel.live[Math.min(pc, this.#kernel.code.length)]!;
    const needed = [...registers].filter(([name]) => live.has(name));
    return { ...group, pc, registers: new Map(needed.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
  }

  /** The group behind the instruction at which it is, with an answer. */
  behind(group: LaneGroup, answer?: Value): LaneGroup {
    const one = this.#kernel.code[group.pc]!;
    const target = targetOf(one);
    const registers = new Map(group.registers);
    if (answer !== undefined && target !== '') registers.set(target, simplified(answer));
    return this.settle({ ...group, registers, pc: group.pc + 1, waits: false });
  }

  /** The group with a value for a register that was never written. */
  defined(group: LaneGroup, register: string, value: bigint): LaneGroup {
    return this.settle({ ...group, registers: new Map(group.registers).set(register, value) });
  }

  actionOf(group: LaneGroup): Action {
    const one = this.#kernel.code[group.pc];
    const [name = ''] = one?.parts ?? [];
    if (one === undefined) return { do: 'end' };
    try {
      this.#guard(group, one);
      if (name === 'ret' || name === 'exit') return { do: 'end' };
      return this.#action(group, one);
    } catch (error) {
      if (!(error instanceof Undefined)) throw error;
      return { do: 'choose', domain: CONTENTS, register: error.register };
    }
  }

  #guard(group: LaneGroup, { guard, isNegated }: Instruction): Value {
    if (guard === '') return 1n;
    const value = this.#read(group, guard);
    const seen = isNegated ? mapped([value], (each) => 1n - each!) : value;
    return seen;
  }

  #silent(group: LaneGroup, one: Instruction, guard: Value): Map<string, Value> {
    const { operands, parts } = one;
    const target = targetOf(one);
    const registers = new Map(group.registers);
    if (target === '' || !this.#kernel.deciding.has(target)) return registers;
    const compute = this.#computes[this.#kernel.code.indexOf(one)];
    if (compute === null && parts[0] !== 'ld') throw new OutOfScope(parts.join('.'));
    const sources = operands.slice(1).map((each) => this.#read(group, each));
    const result = compute === null ? sources[0]! : mapped(sources, compute!);
    const old = guard === 1n ? result : this.#read(group, target);
    const picked = mapped([guard, result, old], (is, value, kept_) =>
      is === 1n ? value! : kept_!,
    );
    return registers.set(target, picked);
  }

  /** The value of an operand: a register, a number, a variable, an address in brackets. */
  #read(group: LaneGroup, operand: string): Value {
    const sum = /^\[?(-?[%\w$.]+)(?:\s*\+\s*(-?\w+))?\]?$/.exec(operand);
    if (sum === null) throw new OutOfScope(operand);
    const [, base = '', offset] = sum;
    const value = this.#symbol(group, base);
    if (offset === undefined) return value;
    return mapped([value], (each) => each! + BigInt(offset));
  }

  #symbol(group: LaneGroup, name: string): Value {
    if (/^-?\d/.test(name)) return name.startsWith('-') ? -BigInt(name.slice(1)) : BigInt(name);
    const register = group.registers.get(name);
    if (register !== undefined) return register;
    const address = this.#kernel.shared.get(name);
    if (address !== undefined) return address;
    if (this.#facts(name, group, 0) !== undefined)
      return simplified(group.lanes.map((lane) => this.#facts(name, group, lane)!));
    if (!/^%[a-z]+\d+$/.test(name)) throw new OutOfScope(name);
    throw new Undefined(name);
  }

  /** One value of all lanes; where lanes have others, they are groups of their own. */
  #uniform(group: LaneGroup, value: Value): bigint {
    if (typeof value === 'bigint') return value;
    throw new Divergence(
      group,
      group.lanes.filter((_, at) => value[at] === value[0]),
    );
  }

  #action(group: LaneGroup, one: Instruction): Action {
    const [name = '', next = ''] = one.parts;
    const { operands } = one;
    const read = (at: number): Value => this.#read(group, operands[at]!);
    const number = (at: number): bigint => this.#uniform(group, read(at));
    const each = (value: Value): readonly bigint[] =>
      typeof value === 'bigint' ? group.lanes.map(() => value) : value;
    const access = (at: number): Access => {
      const space = one.parts.some((part) => part.startsWith('shared')) ? 'shared' : 'global';
      const isStrong = /volatile|relaxed|acquire|release/.test(one.parts.join());
      return { space, isStrong, addresses: each(read(at)), bytes: bytesOf(one.parts.at(-1)!) };
    };
    if (name === 'mov') {
      const domain = /clock|timer/.test(operands[1]!) ? CLOCKS : MACHINE;
      return {
        do: 'choose',
        domain: this.#kernel.deciding.has(targetOf(one)) ? domain : [0n],
        register: '',
      };
    }
    if (name === 'ld') {
      const isWanted = this.#kernel.deciding.has(targetOf(one));
      return { do: 'load', isWanted, ...access(1) };
    }
    if (name === 'st')
      return { do: 'store', values: each(this.#data(group, operands[1]!)), ...access(0) };
    if (name === 'red') return { do: 'atom', kind: 'add', operands: [read(1)], ...access(0) };
    if (name === 'atom') {
      const kind = one.parts.at(-2)!;
      return {
        do: 'atom',
        kind,
        operands: operands.slice(2).map((_, at) => read(at + 2)),
        ...access(1),
      };
    }
    if (name === 'bar' && next === 'warp') {
      const mask = BigInt.asUintN(32, number(0));
      const lanes = Array.from({ length: 32 }, (_, lane) => lane);
      return { do: 'join', lanes: lanes.filter((lane) => ((mask >> BigInt(lane)) & 1n) === 1n) };
    }
    if (name === 'bar' || name === 'barrier')
      return { do: 'bar', id: number(0), count: operands.length > 1 ? number(1) : null };
    if (name === 'setmaxnreg') return { do: 'registers', isMore: next === 'inc', count: number(0) };
    if (name === 'cp') {
      const [to, from, bytes, barrier] = [number(0), number(1), number(2), number(3)];
      return { do: 'copy', to, from, bytes, barrier };
    }
    return this.#barrierAction(one, number);
  }

  #barrierAction({ parts, operands }: Instruction, number: (at: number) => bigint): Action {
    const [, next = '', more = ''] = parts;
    if (next === 'init') return { do: 'init', barrier: number(0), count: number(1) };
    if (next === 'expect_tx') return { do: 'expect', barrier: number(0), count: number(1) };
    if (next === 'try_wait' || next === 'test_wait')
      return { do: 'try', barrier: number(1), parity: number(2) & 1n };
    const last = operands.length > 2 ? number(2) : null;
    const isExpecting = more === 'expect_tx';
    const [count, bytes] = isExpecting ? [1n, last ?? 0n] : [last ?? 1n, 0n];
    return { do: 'arrive', barrier: number(1), count, bytes };
  }

  /** A value to store; one that decides nothing is not computed. */
  #data(group: LaneGroup, operand: string): Value {
    const isRegister = /^%[a-z]+\d+$/.test(operand);
    return isRegister && !this.#kernel.deciding.has(operand) ? -1n : this.#read(group, operand);
  }
}

/** One value where all lanes have the same. */
export function simplified(value: Value): Value {
  if (typeof value === 'bigint') return value;
  return value.every((each) => each === value[0]) ? value[0]! : value;
}

function mapped(values: readonly Value[], compute: Compute): Value {
  const list = values.find((value) => typeof value !== 'bigint');
  if (list === undefined) return compute(...(values as readonly bigint[]));
  return simplified(
    (list as readonly bigint[]).map((_, at) =>
      compute(...values.map((value) => (typeof value === 'bigint' ? value : value[at]!))),
    ),
  );
}
