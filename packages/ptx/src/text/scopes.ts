// Names in a function body: registers and labels are local to the block that declares them.
import type { Register } from './module.ts';
import type { Reader } from './reader.ts';
import type { ScalarType } from '../isa/scalar-type.ts';

/** The most registers of one function. */
export const MAX_REGISTERS = 1_000_000;

/** One block: what it declares. */
interface Scope {
  readonly registers: Map<string, number>;
  readonly labels: Map<string, number>;
  readonly tables: Map<string, readonly string[]>;
  readonly parent: Scope | null;
}

/** A block whose labels may still follow. */
export type LabelScope = Pick<Scope, 'labels' | 'tables'> & { readonly parent: LabelScope | null };

/** The blocks that are open, and the registers of the whole function. */
export class Scopes {
  readonly registers: Register[] = [];
  #scope: Scope | null = null;

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
    this.#scope!.registers.set(name, this.registers.length);
    this.registers.push({ name, type });
  }

  /** The number of a register, or `undefined`. */
  register(name: string): number | undefined {
    for (let scope = this.#scope; scope !== null; scope = scope.parent) {
      const number = scope.registers.get(name);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Declares a label at an instruction. */
  label(name: string, instruction: number): void {
    this.#scope!.labels.set(name, instruction);
  }

  /** Declares a list of labels for `brx.idx`. */
  table(name: string, labels: readonly string[]): void {
    this.#scope!.tables.set(name, labels);
  }
}

/** The value of a name in the innermost block that has it. */
export function findIn<K extends 'labels' | 'tables'>(
  scope: LabelScope | null,
  kind: K,
  name: string,
): (K extends 'labels' ? number : readonly string[]) | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    const value = at[kind].get(name);
    if (value !== undefined) return value as never;
  }
  return undefined;
}
