// Which parameters of a kernel the address of an access to global memory may be derived from.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { Definitions } from './definitions.ts';
import { accessSpace, readsMemory } from '../isa/questions.ts';

/** Bits of an address. */
const ADDRESS = 64;

/** Follows addresses back to the parameters and variables that they come from. */
export class AddressOrigins {
  readonly #definitions: Definitions;
  readonly #found = new Map<number, ReadonlySet<string> | null>();
  /** Parameters that no address is. */
  readonly #numbers: ReadonlySet<string>;

  constructor(code: PtxFunction) {
    this.#definitions = new Definitions(code);
    const numbers = code.parameters.filter(({ size }) => size < ADDRESS / 8);
    this.#numbers = new Set(numbers.map(({ name }) => name));
  }

  /** Names of parameters and variables; `null` if the address may come from memory. */
  of(at: number, operand: Operand): ReadonlySet<string> | null {
    let names = this.#found.get(at);
    if (names === undefined) {
      const behind = this.#definitions.behind(operand, at, inputsOf);
      names = behind === null || behind.names.size === 0 ? null : behind.names;
      this.#found.set(at, names);
    }
    return names;
  }

  /** The same without parameters that are no pointers; `null`: any memory. */
  pointersOf(at: number, operand: Operand): ReadonlySet<string> | null {
    const names = this.of(at, operand);
    if (names === null) return null;
    const pointers = [...names].filter((name) => !this.#numbers.has(name));
    return pointers.length === 0 ? null : new Set(pointers);
  }
}

/** Operands whose value may be an address that the result is derived from; `null` of a load. */
function inputsOf(instruction: Instruction): readonly Operand[] | null {
  const { effect, operands } = instruction;
  if (readsMemory(instruction) && accessSpace(instruction) !== 'param') return null;
  const inputs = operands.slice(1);
  if (effect.kind !== 'compute') return inputs;
  // What was widened from 32 bits is an index.
  const from = effect.types.at(-1);
  const isIndex = from !== undefined && from.class !== 'float' && from.bits < ADDRESS;
  if (effect.operation === 'cvt' && isIndex) return [];
  return effect.modifiers.has('wide') ? inputs.slice(2) : inputs;
}
