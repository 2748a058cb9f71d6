// Which instructions define each register, and the symbols that are found by following them back.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from '../warp/slots.ts';

/** Registers that are followed before a walk gives up. */
const MAX_REGISTERS = 4096;

/** What lies behind an operand: registers in the order of the walk, and names of symbols. */
export interface Behind {
  readonly registers: ReadonlySet<number>;
  readonly names: ReadonlySet<string>;
}

/** The definitions of all registers of a function. */
export class Definitions {
  readonly #definitions: readonly Instruction[][];

  constructor({ registers, instructions }: PtxFunction) {
    this.#definitions = registers.map(() => []);
    for (const instruction of instructions)
      for (const register of destinationsOf(instruction))
        this.#definitions[register]?.push(instruction);
  }

  of(register: number): readonly Instruction[] {
    return this.#definitions[register] ?? [];
  }

  /**
   * Follows definitions back through the operands that `inputsOf` names; `null` where it returns
   * `null` for one of them, or where there are too many.
   */
  behind(
    operand: Operand,
    inputsOf: (instruction: Instruction) => readonly Operand[] | null,
  ): Behind | null {
    const names = new Set<string>();
    const registers = new Set<number>();
    const visit = (leaf: Operand): void => {
      if (leaf.kind === 'symbol') names.add(leaf.name);
      else if (leaf.kind === 'register') registers.add(leaf.register);
    };
    for (const leaf of leavesOf(operand)) visit(leaf);
    // A set is walked in the order of its insertions, those during the walk included.
    for (const register of registers) {
      if (registers.size > MAX_REGISTERS) return null;
      for (const instruction of this.of(register)) {
        const inputs = inputsOf(instruction);
        if (inputs === null) return null;
        for (const input of inputs) for (const leaf of leavesOf(input)) visit(leaf);
      }
    }
    return { registers, names };
  }
}

/** The registers, symbols and constants that an operand consists of. */
export function leavesOf(operand: Operand): readonly Operand[] {
  if (operand.kind === 'address') return leavesOf(operand.base);
  if (operand.kind === 'vector' || operand.kind === 'list')
    return operand.elements.flatMap(leavesOf);
  return [operand];
}
