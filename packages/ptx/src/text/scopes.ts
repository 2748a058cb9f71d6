// Names in a function body: registers, variables and labels are local to the block that declares
// them.
import type { Parameter, Register, Space, Variable } from './module.ts';
import type { Reader } from './reader.ts';
import { byteSize } from '../isa/scalar-type.ts';
import type { ScalarType } from '../isa/scalar-type.ts';

/** The most registers of one function. */
export const MAX_REGISTERS = 1_000_000;

/** What a name stands for: a variable or a parameter in a state space, or a function. */
export interface Named {
  /** Bytes of an element; 0 for a function. */
  readonly elementBytes: number;
  /** `null` for a function. */
  readonly space: Space | null;
}

/** Names outside of functions. */
export type ModuleNames = ReadonlyMap<string, Named>;

/** What a list of names behind a label is for: branches, or calls by address. */
export type Table =
  | { readonly kind: 'branches'; readonly labels: readonly string[] }
  | { readonly kind: 'calls' };

/** One block: what it declares. */
interface Scope {
  readonly registers: Map<string, number>;
  readonly variables: Map<string, Named>;
  readonly labels: Map<string, number>;
  readonly tables: Map<string, Table>;
  readonly parent: Scope | null;
}

/** A block whose labels may still follow. */
export type LabelScope = Pick<Scope, 'labels' | 'tables'> & { readonly parent: LabelScope | null };

/** A name that is no register and no variable so far: a label, a function, or a mistake. */
export interface OpenName {
  readonly name: string;
  readonly token: number;
  readonly scope: LabelScope;
}

/** The blocks that are open, and the registers of the whole function. */
export class Scopes {
  readonly registers: Register[] = [];
  readonly openNames: OpenName[] = [];
  readonly #module: ModuleNames;
  #scope: Scope | null = null;

  constructor(module: ModuleNames) {
    this.#module = module;
  }

  /** Whether a block is open. */
  get isOpen(): boolean {
    return this.#scope !== null;
  }

  /** The innermost open block, in which a label is looked up once the function has ended. */
  get current(): LabelScope {
    return this.#scope!;
  }

  open(): void {
    this.#scope = {
      registers: new Map(),
      variables: new Map(),
      labels: new Map(),
      tables: new Map(),
      parent: this.#scope,
    };
  }

  close(): void {
    this.#scope = this.#scope!.parent;
  }

  /** Declares a register. */
  declare(reader: Reader, name: string, type: ScalarType): void {
    if (this.registers.length >= MAX_REGISTERS) reader.fail(`more than ${MAX_REGISTERS} registers`);
    const { registers } = this.#scope!;
    if (registers.has(name)) reader.fail(`a register '${name}' is declared twice`);
    registers.set(name, this.registers.length);
    this.registers.push({ name, type });
  }

  /** Declares a variable or a parameter in memory. */
  variable({ name, type }: Pick<Variable | Parameter, 'name' | 'type'>, space: Space): void {
    this.#scope!.variables.set(name, { elementBytes: byteSize(type), space });
  }

  /** The number of a register, or `undefined`. */
  register(name: string): number | undefined {
    for (let scope = this.#scope; scope !== null; scope = scope.parent) {
      const number = scope.registers.get(name);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** The variable, parameter or function that a name stands for; `undefined`: none so far. */
  named(name: string): Named | undefined {
    for (let scope = this.#scope; scope !== null; scope = scope.parent) {
      const variable = scope.variables.get(name);
      if (variable !== undefined) return variable;
    }
    return this.#module.get(name);
  }

  /** Bytes of an element of a variable; 0 for a function, `undefined` for a name not declared. */
  elementBytes(name: string): number | undefined {
    return this.named(name)?.elementBytes;
  }

  /** Notes a name that is neither a register nor a variable: a label may follow. */
  refer(name: string, token: number): void {
    this.openNames.push({ name, token, scope: this.#scope! });
  }

  /** Declares a label at an instruction. */
  label(reader: Reader, name: string, instruction: number): void {
    const { labels } = this.#scope!;
    if (labels.has(name)) reader.fail(`a label '${name}' is declared twice`);
    labels.set(name, instruction);
  }

  /** Declares a list of labels for `brx.idx`, or what a call by address calls. */
  table(name: string, table: Table): void {
    this.#scope!.tables.set(name, table);
  }
}

/** The value of a name in the innermost block that has it. */
export function findIn<K extends 'labels' | 'tables'>(
  scope: LabelScope | null,
  kind: K,
  name: string,
): (K extends 'labels' ? number : Table) | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    const value = at[kind].get(name);
    if (value !== undefined) return value as never;
  }
  return undefined;
}
