// Where the values of registers come from: parameters of the kernel, addresses of these, special
// registers. A value is followed through moves and sums, with its scale if constants multiply it.
import { controlOf, operationOf, readOf } from '../isa/questions.ts';
import { leavesOf } from '../flow/definitions.ts';
import { destinationsOf } from '../flow/destinations.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { constantsOf } from './constants.ts';
import type { Constants } from './constants.ts';

/** How a register depends on where its value comes from: `scale` times that, plus `add`. */
export interface Flow {
  readonly scale: number;
  readonly add: number;
  /** Whether it is that value, perhaps with something added to it: so are addresses. */
  readonly isDirect: boolean;
  /** Whether it was converted to a global or generic address. */
  readonly isConverted: boolean;
}

/** What a register depends on, by the names of the origins. */
export type Flows = ReadonlyMap<string, Flow>;

const SAME: Flow = { scale: 1, add: 0, isDirect: true, isConverted: false };
/** Origins that a register is followed to. */
const MAX_ORIGINS = 24;
/** Passes over the text until loops are followed. */
const MAX_ROUNDS = 12;

/** The name of a value in a parameter, of the address of one, and of a special register. */
export const originName = {
  value: (parameter: number, offset: number): string => `${parameter}+${offset}`,
  address: (parameter: number, offset: number): string => `&${parameter}+${offset}`,
  special: (name: string): string => name,
  /** What is read from memory behind a pointer. */
  data: (pointer: string): string => `*${pointer}`,
} as const;

/** A field of a parameter that the text loads. */
export interface LoadedField {
  readonly parameter: number;
  readonly offset: number;
  readonly bytes: number;
  readonly isFloat: boolean;
}

/** What the values of a kernel come from. */
export class ValueFlows {
  readonly fields = new Map<string, LoadedField>();
  readonly specials = new Set<string>();
  readonly constants: Constants;
  readonly #registers: Map<string, Flow>[];
  readonly #parameters: ReadonlyMap<string, number>;
  readonly #conditions = new Map<number, Operand[]>();

  constructor(code: PtxFunction) {
    this.constants = constantsOf(code);
    this.#registers = code.registers.map(() => new Map());
    this.#parameters = new Map(code.parameters.map(({ name }, index) => [name, index]));
    for (const each of code.instructions) this.#noteCondition(each);
    for (let round = 0, isMoving = true; isMoving && round < MAX_ROUNDS; round++) {
      isMoving = false;
      for (const each of code.instructions) if (this.#follow(each)) isMoving = true;
    }
  }

  /** What a predicate compares: the inputs of the instructions that define it. */
  conditionsOf(register: number): readonly Operand[] {
    return this.#conditions.get(register) ?? [];
  }

  /** What an operand depends on. */
  of(operand: Operand): Flows {
    if (operand.kind === 'register') return this.#registers[operand.register]!;
    if (operand.kind === 'special') return new Map([[operand.name, SAME]]);
    if (operand.kind === 'symbol') {
      const parameter = this.#parameters.get(operand.name);
      if (parameter === undefined) return new Map();
      return new Map([[originName.address(parameter, operand.offset), SAME]]);
    }
    if (operand.kind === 'address') return shifted(this.of(operand.base), operand.offset);
    if (operand.kind === 'not') return this.of(operand.operand);
    const all = new Map<string, Flow>();
    for (const leaf of leavesOf(operand))
      if (leaf !== operand) for (const [name, flow] of this.of(leaf)) all.set(name, flow);
    return all;
  }

  #noteCondition(instruction: Instruction): void {
    const operation = operationOf(instruction);
    const isTest = operation === 'setp' || operation === 'set';
    const isLogic = operation === 'and' || operation === 'or' || operation === 'not';
    if (!isTest && !isLogic) return;
    for (const register of destinationsOf(instruction)) {
      const known = this.#conditions.get(register) ?? [];
      const inputs = instruction.operands.slice(1);
      // A condition of conditions is one of theirs.
      const behind = inputs.flatMap((each) => {
        return each.kind === 'register' ? this.conditionsOf(each.register) : [];
      });
      this.#conditions.set(register, [...known, ...inputs, ...behind]);
    }
  }

  /** Adds what the results of an instruction depend on; whether that was new. */
  #follow(instruction: Instruction): boolean {
    for (const operand of instruction.operands)
      for (const leaf of leavesOf(operand))
        if (leaf.kind === 'special') this.specials.add(leaf.name);
    const results = destinationsOf(instruction);
    if (results.length === 0) return false;
    const access = readOf(instruction);
    if (access !== null) return this.#load(instruction, access.bytes, results);
    const flows = this.#computed(instruction);
    return results.map((register) => this.#add(register, flows)).includes(true);
  }

  /** A load of parameters; what other loads find is data. */
  #load(instruction: Instruction, bytes: number, results: readonly number[]): boolean {
    const isFloat = readOf(instruction)?.type?.class === 'float';
    let isNew = this.#loadData(instruction, results);
    for (const [name] of this.of(instruction.operands[1]!)) {
      const place = /^&(\d+)\+(\d+)$/.exec(name);
      if (place === null) continue;
      for (const [index, register] of results.entries()) {
        const [parameter, offset] = [Number(place[1]), Number(place[2]) + index * bytes];
        const origin = originName.value(parameter, offset);
        if (!this.fields.has(origin))
          this.fields.set(origin, { parameter, offset, bytes, isFloat });
        if (this.#add(register, new Map([[origin, SAME]]))) isNew = true;
      }
    }
    return isNew;
  }

  /** A load of what a pointer leads to: its result is data of that pointer. */
  #loadData(instruction: Instruction, results: readonly number[]): boolean {
    const behind = new Map<string, Flow>();
    for (const [name, flow] of this.of(instruction.operands[1]!))
      if (flow.isDirect && this.fields.get(name)?.bytes === 8)
        behind.set(originName.data(name), SAME);
    return results.map((register) => this.#add(register, behind)).includes(true);
  }

  #add(register: number, flows: Flows): boolean {
    const own = this.#registers[register]!;
    const { size } = own;
    for (const [name, flow] of flows)
      if (!own.has(name) && own.size < MAX_ORIGINS) own.set(name, flow);
    return own.size > size;
  }

  /** What the result of a computation depends on. */
  #computed(instruction: Instruction): Flows {
    const { effect, operands } = instruction;
    const inputs = operands.slice(1);
    if (effect.kind === 'lanes') return this.#mixed(inputs.slice(0, 1), false);
    if (controlOf(instruction) !== null || effect.kind !== 'compute') return new Map();
    const constants = inputs.map((each) => this.constants.of(each));
    switch (operationOf(instruction)) {
      case 'mov':
      case 'cvt':
        return this.of(inputs[0]!);
      case 'cvta':
        return converted(this.of(inputs[0]!));
      case 'add':
        return this.#sum(inputs, constants, 1);
      case 'sub':
        return this.#sum(inputs, constants, -1);
      case 'selp':
        return this.#mixed(inputs.slice(0, 2), true);
      case 'min':
      case 'max':
        return this.#mixed(inputs.slice(0, 2), true);
      case 'mul':
        return this.#product(inputs, constants, (factor) => factor);
      case 'shl':
        return this.#product(inputs, constants, (bits) => 2 ** bits);
      case 'shr':
        return this.#product(inputs, constants, (bits) => 2 ** -bits);
      case 'div':
        return this.#product(inputs, constants, (divisor) => 1 / divisor);
      case 'mad':
        return this.#multiplyAdd(inputs, constants);
      case 'setp':
      case 'set':
        return new Map();
      default:
        return this.#mixed(inputs, false);
    }
  }

  /** All of some operands; what is computed of them in other ways is not direct. */
  #mixed(inputs: readonly Operand[], isDirect: boolean): Flows {
    const all = new Map<string, Flow>();
    for (const input of inputs)
      for (const [name, flow] of this.of(input))
        all.set(name, isDirect ? flow : { ...flow, isDirect: false });
    return all;
  }

  #sum(inputs: readonly Operand[], constants: readonly (number | null)[], sign: 1 | -1): Flows {
    const [first, second] = constants as [number | null, number | null];
    if (second !== null) return shifted(this.of(inputs[0]!), sign * second);
    if (first !== null && sign === 1) return shifted(this.of(inputs[1]!), first);
    return withoutWords(this.#mixed(inputs, true));
  }

  #product(
    inputs: readonly Operand[],
    constants: readonly (number | null)[],
    factorOf: (constant: number) => number,
  ): Flows {
    const at = constants.findIndex((each) => each !== null && each !== 0);
    if (at < 0) return this.#mixed(inputs, false);
    const factor = factorOf(constants[at]!);
    return scaled(this.of(inputs[at === 0 ? 1 : 0]!), factor);
  }

  #multiplyAdd(inputs: readonly Operand[], constants: readonly (number | null)[]): Flows {
    const product = this.#product(inputs.slice(0, 2), constants.slice(0, 2), (factor) => factor);
    const added = constants[2] ?? null;
    if (added !== null) return shifted(product, added);
    return new Map([...product, ...this.of(inputs[2]!)]);
  }
}

function shifted(flows: Flows, by: number): Flows {
  const moved = [...flows].map(([name, flow]): [string, Flow] => {
    const place = /^&(\d+)\+(\d+)$/.exec(name);
    if (place === null) return [name, { ...flow, add: flow.add + by }];
    return [originName.address(Number(place[1]), Number(place[2]) + by), flow];
  });
  return new Map(moved);
}

/** A sum of words of memory is none of them. */
function withoutWords(flows: Flows): Flows {
  const all = [...flows].map(([name, flow]): [string, Flow] => {
    return [name, name.startsWith('*') ? { ...flow, isDirect: false } : flow];
  });
  return new Map(all);
}

function scaled(flows: Flows, factor: number): Flows {
  const by = ({ scale, add, ...flow }: Flow): Flow => {
    return { ...flow, scale: scale * factor, add: add * factor, isDirect: false };
  };
  return new Map([...flows].map(([name, flow]) => [name, by(flow)]));
}

function converted(flows: Flows): Flows {
  return new Map([...flows].map(([name, flow]) => [name, { ...flow, isConverted: true }]));
}
