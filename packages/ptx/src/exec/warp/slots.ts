// Registers for all operands: constants, addresses of variables and special registers get one each.
import { Slice } from '../../flow/slice.ts';
import type { Operand, PtxFunction } from '../../text/module.ts';
import type { ConstantSlot, SpecialSlot, SymbolSlot } from './program.ts';

/** What global memory is to a run. */
export interface GlobalUse {
  readonly isGrid?: boolean;
  readonly isFollowing?: boolean;
  /** Whether some of it is compared like shared memory. */
  readonly isCompared?: boolean;
  /** Whether values that decide nothing are left out. */
  readonly isSliced?: boolean;
  /** Whether all rounds of loops are executed. */
  readonly isUnrolled?: boolean;
}

/** Thrown while a program is prepared; the caller adds the file and the line. */
export class OperandError extends Error {}

/** Gives registers to operands. */
export class Slots {
  readonly constants: ConstantSlot[] = [];
  readonly symbols: SymbolSlot[] = [];
  readonly specials: SpecialSlot[] = [];
  readonly #byName = new Map<string, number>();
  /** The register that is always 0. */
  readonly zero: number;
  readonly #code: PtxFunction;
  #count: number;

  /** Whether all blocks of a grid are executed, so that global memory is shared. */
  readonly isGrid: boolean;
  /** Whether the kernel before writes buffers of this one, and need not have ended. */
  readonly isFollowing: boolean;
  /** Whether what the warps of a cluster touch in global memory may be compared. */
  readonly isCompared: boolean;
  /** Whether all rounds of loops are executed. */
  readonly isUnrolled: boolean;
  /** What decides something; `null` where all values are computed. */
  readonly slice: Slice | null;

  constructor(code: PtxFunction, use: GlobalUse = {}) {
    const { isGrid = false, isFollowing = false, isCompared = false, isSliced = false } = use;
    this.isGrid = isGrid;
    this.isUnrolled = use.isUnrolled === true;
    this.isCompared = isCompared;
    this.slice = isSliced ? new Slice(code) : null;
    this.isFollowing = isFollowing;
    this.#code = code;
    this.#count = code.registers.length;
    this.zero = this.constant(0, 0);
  }

  /** Registers so far. */
  get count(): number {
    return this.#count;
  }

  /** A register of its own, for an intermediate result. */
  temporary(): number {
    return this.#count++;
  }

  /** A register that is known by a name, such as the carry flag. */
  named(name: string): number {
    return this.#named(name, () => {});
  }

  /** The width of a register of the code in bits; 32 for those that hold no declared register. */
  bitsOf(register: number): number {
    return this.#code.registers[register]?.type.bits ?? 32;
  }

  /** The register that holds a constant. */
  constant(low: number, high: number): number {
    return this.#named(`#${low}:${high}`, (register) =>
      this.constants.push({ register, low, high }),
    );
  }

  /** The register of an operand that is read. */
  source(operand: Operand | undefined): number {
    switch (operand?.kind) {
      case 'register':
        return operand.register;
      case 'immediate':
        return this.constant(operand.value.low, operand.value.high);
      case 'special':
        return this.#named(operand.name, (register) =>
          this.specials.push({ register, name: operand.name }),
        );
      case 'symbol': {
        const { name, offset } = operand;
        return this.#named(`&${name}+${offset}`, (register) =>
          this.symbols.push({ register, name, offset }),
        );
      }
      case 'sink':
        return this.zero;
      case undefined:
        throw new OperandError('an operand is missing');
      case 'not':
      case 'vector':
      case 'list':
      case 'pair':
      case 'address':
        throw new OperandError('an operand has an unexpected form');
    }
  }

  /** The register of an operand that is written; a register of no use for `_`. */
  destination(operand: Operand | undefined): number {
    if (operand?.kind === 'register') return operand.register;
    if (operand?.kind === 'sink') return this.#named('_', () => {});
    throw new OperandError('the destination is not a register');
  }

  #named(name: string, add: (register: number) => void): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const register = this.#count++;
    this.#byName.set(name, register);
    add(register);
    return register;
  }
}
