// Which instructions define a register where it is read, and the symbols found by following them.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from './destinations.ts';
import { basicBlocks } from './blocks.ts';

/** Definitions that are followed before a walk gives up. */
const MAX_DEFINITIONS = 4096;

/** What lies behind an operand: definitions in the order of the walk, and names of symbols. */
export interface Behind {
  readonly definitions: ReadonlySet<Instruction>;
  readonly names: ReadonlySet<string>;
}

/** The definitions of all registers of a function. */
export class Definitions {
  readonly #definitions: readonly Instruction[][];
  readonly #blockOf: Int32Array;

  constructor(code: PtxFunction) {
    this.#definitions = code.registers.map(() => []);
    for (const instruction of code.instructions)
      for (const register of destinationsOf(instruction))
        this.#definitions[register]?.push(instruction);
    this.#blockOf = basicBlocks(code).blockOf;
  }

  /** All definitions of a register. */
  all(register: number): readonly Instruction[] {
    return this.#definitions[register] ?? [];
  }

  /** The definitions of a register that may reach a place: those of its block, or else all. */
  reaching(register: number, at: number): readonly Instruction[] {
    const all = this.#definitions[register] ?? [];
    const found: Instruction[] = [];
    for (let index = all.length - 1; index >= 0; index--) {
      const definition = all[index]!;
      if (definition.index >= at) continue;
      if (this.#blockOf[definition.index] !== this.#blockOf[at]) break;
      found.push(definition);
      if (definition.guard === null) return found;
    }
    return all;
  }

  /**
   * Follows definitions back from an operand at a place, through the operands that `inputsOf`
   * names; `null` where it returns `null` for one of them, or where there are too many.
   */
  behind(
    operand: Operand,
    at: number,
    inputsOf: (instruction: Instruction) => readonly Operand[] | null,
  ): Behind | null {
    const names = new Set<string>();
    const definitions = new Set<Instruction>();
    const visit = (input: Operand, place: number): void => {
      for (const leaf of leavesOf(input))
        if (leaf.kind === 'symbol') names.add(leaf.name);
        else if (leaf.kind === 'register')
          for (const each of this.reaching(leaf.register, place)) definitions.add(each);
    };
    visit(operand, at);
    // A set is walked in the order of its insertions, those during the walk included.
    for (const definition of definitions) {
      if (definitions.size > MAX_DEFINITIONS) return null;
      const inputs = inputsOf(definition);
      if (inputs === null) return null;
      for (const input of inputs) visit(input, definition.index);
    }
    return { definitions, names };
  }
}

/** The registers, symbols and constants that an operand consists of. */
export function leavesOf(operand: Operand): readonly Operand[] {
  if (operand.kind === 'address') return leavesOf(operand.base);
  if (operand.kind === 'vector' || operand.kind === 'list')
    return operand.elements.flatMap(leavesOf);
  return [operand];
}
