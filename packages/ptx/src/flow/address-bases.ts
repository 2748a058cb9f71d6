// Which pointers the addresses of a function are derived from: what is added to a pointer is an
// index, whatever it is computed from, and the sum leads to where the pointer does.
import type { Operation } from '../isa/operation.ts';
import { readOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import type { Definitions } from './definitions.ts';
import { leavesOf } from './definitions.ts';
import { destinationsOf } from './destinations.ts';

/** Bits of an address. */
const ADDRESS = 64;

/** Whose result is a pointer with an index, where one of its inputs is a pointer. */
const COMBINES: ReadonlySet<Operation> = new Set<Operation>(['add', 'sub', 'mad', 'and', 'or']);
/** Whose result is one of their inputs, perhaps converted. */
const CHOOSES: ReadonlySet<Operation> = new Set<Operation>([
  'mov',
  'cvta',
  'cvt',
  'selp',
  'min',
  'max',
]);

/**
 * Names what the bytes at an offset of a parameter, or the address of a variable, point to; `null`:
 * they are a number.
 */
export type NameOf = (symbol: string, offset: number) => string | null;

/** What is known of a value: pointers that it may be derived from. */
interface Value {
  readonly names: ReadonlySet<string>;
  /** Whether it may be a pointer that was loaded. */
  readonly isLoaded: boolean;
}

const NUMBER: Value = { names: new Set(), isLoaded: false };
const LOADED: Value = { names: new Set(), isLoaded: true };

function isEqual(one: Value | undefined, other: Value): boolean {
  return one?.names.size === other.names.size && one.isLoaded === other.isLoaded;
}

function union(values: readonly Value[]): Value {
  if (values.length === 1) return values[0]!;
  const names = new Set(values.flatMap((each) => [...each.names]));
  return { names, isLoaded: values.some(({ isLoaded }) => isLoaded) };
}

/** The pointers behind the addresses of a function. */
export class AddressBases {
  readonly #code: PtxFunction;
  readonly #definitions: Definitions;
  readonly #nameOf: NameOf;
  readonly #parameters: ReadonlySet<string>;
  /** By instruction: its result. */
  readonly #values: Value[] = [];

  constructor(code: PtxFunction, definitions: Definitions, nameOf: NameOf) {
    this.#code = code;
    this.#definitions = definitions;
    this.#nameOf = nameOf;
    this.#parameters = new Set(code.parameters.map(({ name }) => name));
    const computing = code.instructions.filter((each) => destinationsOf(each).length > 0);
    // Names first: which sums have a pointer in them decides what else is an index.
    for (const each of computing) this.#values[each.index] = NUMBER;
    this.#settle(computing, (each) => ({ ...this.#resultOf(each), isLoaded: false }));
    this.#settle(computing, (each) => this.#resultOf(each));
  }

  /** Names of what an address points into; `null`: that may be any memory. */
  of(at: number, operand: Operand): ReadonlySet<string> | null {
    const { names, isLoaded } = this.#valueOf(operand, at);
    return isLoaded || names.size === 0 ? null : names;
  }

  /** Computes results until none grows. */
  #settle(computing: readonly Instruction[], resultOf: (each: Instruction) => Value): void {
    for (let isGrowing = true; isGrowing;) {
      isGrowing = false;
      for (const each of computing) {
        const result = resultOf(each);
        if (isEqual(this.#values[each.index], result)) continue;
        this.#values[each.index] = result;
        isGrowing = true;
      }
    }
  }

  #resultOf(instruction: Instruction): Value {
    const { effect, operands, index } = instruction;
    const read = readOf(instruction);
    // What is loaded into a wider register is an index; halves of a pointer may be put together.
    if (read !== null) return this.#isWidened(instruction) ? NUMBER : LOADED;
    if (effect.kind === 'lanes' && effect.op === 'shuffle')
      return this.#valueOf(operands[1]!, index);
    if (effect.kind !== 'compute') return LOADED;
    const { operation, types, modifiers } = effect;
    const from = types.at(-1);
    const isNarrow = from !== undefined && from.class !== 'float' && from.bits < ADDRESS;
    if (operation === 'cvt' && isNarrow) return NUMBER;
    const inputs = modifiers.has('wide') ? operands.slice(3) : operands.slice(1);
    const values = inputs.map((each) => this.#valueOf(each, index));
    if (values.length === 0) return NUMBER;
    const all = union(values);
    if (CHOOSES.has(operation)) return all;
    const isSum = COMBINES.has(operation);
    if (isSum && values.some((each) => each.names.size > 0 && !each.isLoaded))
      return { names: all.names, isLoaded: false };
    return isSum ? all : { names: all.names, isLoaded: all.isLoaded || all.names.size > 0 };
  }

  /** Whether a load has fewer bits than its register and an address. */
  #isWidened(instruction: Instruction): boolean {
    const { type } = readOf(instruction)!;
    const isNarrow = type !== null && type.bits < ADDRESS;
    return (
      isNarrow &&
      destinationsOf(instruction).every(
        (register) => this.#code.registers[register]!.type.bits >= ADDRESS,
      )
    );
  }

  #valueOf(operand: Operand, at: number): Value {
    return union(leavesOf(operand).map((leaf) => this.#valueOfLeaf(leaf, at)));
  }

  #valueOfLeaf(leaf: Operand, at: number): Value {
    if (leaf.kind === 'symbol') {
      // The address of a parameter itself is not what it points to.
      const isParameter = this.#parameters.has(leaf.name);
      const name = isParameter ? leaf.name : this.#nameOf(leaf.name, leaf.offset);
      return name === null ? NUMBER : { names: new Set([name]), isLoaded: false };
    }
    if (leaf.kind !== 'register') return NUMBER;
    const { register } = leaf;
    const reaching = this.#definitions.reaching(register, at);
    // A register that nothing defines may hold anything.
    if (reaching.length === 0) return LOADED;
    return union(
      reaching.map((each) => this.#parameterIn(each, register) ?? this.#values[each.index]!),
    );
  }

  /** What a register has of a parameter that an instruction loads; `null`: it loads none. */
  #parameterIn(instruction: Instruction, register: number): Value | null {
    const read = readOf(instruction);
    const from = instruction.operands[1];
    if (read?.space !== 'param' || from?.kind !== 'address') return null;
    const { base, offset } = from;
    if (base.kind !== 'symbol') return LOADED;
    if (read.bytes < ADDRESS / 8) return NUMBER;
    const element = destinationsOf(instruction).indexOf(register);
    const name = this.#nameOf(base.name, base.offset + offset + element * read.bytes);
    return name === null ? NUMBER : { names: new Set([name]), isLoaded: false };
  }
}
