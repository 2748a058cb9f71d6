// Which shared variable an address of unknown value lies in: found by following definitions back.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { Definitions, leavesOf, type Behind } from './definitions.ts';

/** Mnemonics whose result may be an address derived from inputs that are added to each other. */
const COMBINES = new Set('add sub mad or and xor shl mul lop3 shfl'.split(' '));
/** Mnemonics whose result is one of their inputs, perhaps converted; so are `mapa` and `selp`. */
const CHOOSES = new Set('mov cvta cvt min max'.split(' '));

/** Finds the variables that an address operand may be derived from. */
export class Provenance {
  readonly #definitions: Definitions;
  readonly #parameters: ReadonlySet<string>;

  constructor(code: PtxFunction) {
    this.#definitions = new Definitions(code);
    this.#parameters = new Set(code.parameters.map(({ name }) => name));
  }

  /**
   * Names of variables, one of whose addresses each value of the operand is derived from; `null`
   * if it may be an address that was loaded.
   */
  variablesOf(operand: Operand): ReadonlySet<string> | null {
    const behind = this.#definitions.behind(operand, inputsOf);
    if (behind === null) return null;
    const names = [...behind.names].filter((name) => !this.#parameters.has(name));
    if (names.length === 0 || this.#mayBeData(operand, behind)) return null;
    return new Set(names);
  }

  /** Whether a value of the operand may consist of data alone, such as a pointer from memory. */
  #mayBeData(operand: Operand, { registers }: Behind): boolean {
    const hasName = this.#named(registers);
    const isData = new Set<number>();
    const dataAlone = (each: Operand): boolean =>
      leavesOf(each).some((leaf) => leaf.kind === 'register' && isData.has(leaf.register));
    const isBase = (each: Operand): boolean =>
      !dataAlone(each) &&
      leavesOf(each).some((leaf) =>
        leaf.kind === 'register' ? hasName.has(leaf.register) : this.#isVariable(leaf),
      );
    const yieldsData = (instruction: Instruction): boolean => {
      const inputs = inputsOf(instruction);
      if (inputs.length === 0) return true;
      // An index that is added to an address stays within the variable.
      if (COMBINES.has(instruction.parts[0]!) && inputs.some(isBase)) return false;
      return inputs.some(dataAlone);
    };
    // What is data alone grows with each round until nothing is added.
    for (let size = -1; size < isData.size;) {
      size = isData.size;
      for (const register of registers)
        if (this.#definitions.of(register).some(yieldsData)) isData.add(register);
    }
    return dataAlone(operand);
  }

  /** Registers that an address of a variable reaches. */
  #named(registers: ReadonlySet<number>): ReadonlySet<number> {
    const named = new Set<number>();
    for (let size = -1; size < named.size;) {
      size = named.size;
      for (const register of registers)
        for (const instruction of this.#definitions.of(register))
          for (const leaf of inputsOf(instruction).flatMap(leavesOf))
            if (leaf.kind === 'register' ? named.has(leaf.register) : this.#isVariable(leaf))
              named.add(register);
    }
    return named;
  }

  #isVariable(leaf: Operand): boolean {
    return leaf.kind === 'symbol' && !this.#parameters.has(leaf.name);
  }
}

/** Operands that the result may be an address derived from: none of a load. */
function inputsOf({ parts, operands }: Instruction): readonly Operand[] {
  const [mnemonic] = parts;
  // The rank of a CTA, and the predicate that chooses, are no addresses.
  if (mnemonic === 'mapa') return operands.slice(1, 2);
  if (mnemonic === 'selp') return operands.slice(1, 3);
  return CHOOSES.has(mnemonic!) || COMBINES.has(mnemonic!) ? operands.slice(1) : [];
}
