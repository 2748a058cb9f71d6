// Which bits of registers count: two values that differ in others alone lead to the same.
import type { Compute } from '../isa/effect.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from './destinations.ts';
import { readsOf } from './liveness.ts';

const ALL = 0xffffffff;
const SIGN = 0x80000000;

const known = new WeakMap<PtxFunction, DemandedBits>();

/** The bits of a kernel's registers that count. */
export function demandedBitsOf(code: PtxFunction): DemandedBits {
  let found = known.get(code);
  if (found === undefined) known.set(code, (found = new DemandedBits(code)));
  return found;
}

/** The bits of registers of 32 bits that some instruction looks at; of others all count. */
export class DemandedBits {
  readonly #bits: Uint32Array;

  constructor({ instructions, registers }: PtxFunction) {
    this.#bits = Uint32Array.from(registers, ({ type }) => (type.bits === 32 ? 0 : ALL));
    const all = instructions.toReversed();
    for (let isMoving = true; isMoving;) {
      isMoving = false;
      for (const each of all) isMoving = this.#follow(each) || isMoving;
    }
  }

  /** The part of a value of a register that counts. */
  of(register: number, value: number): number {
    return (value & this.#bits[register]!) >>> 0;
  }

  /** Whether all bits of a register count. */
  areAll(register: number): boolean {
    return this.#bits[register] === ALL;
  }

  /** What an instruction looks at of its inputs; whether that is more than was known. */
  #follow(instruction: Instruction): boolean {
    const { effect, guard, operands } = instruction;
    if (effect.kind !== 'compute') return this.#need(readsOf(instruction), ALL);
    const wanted = destinationsOf(instruction).reduce((bits, each) => bits | this.#bits[each]!, 0);
    if (wanted === 0) return false;
    let isMore = guard !== null && this.#need([guard.register], ALL);
    const bits = bitsOf(effect, operands, wanted >>> 0);
    const inputs = readsOf(instruction).filter((each) => each !== guard?.register);
    isMore = this.#need(inputs, bits) || isMore;
    return isMore;
  }

  #need(registers: readonly number[], bits: number): boolean {
    let isMore = false;
    for (const each of registers) {
      const before = this.#bits[each]!;
      this.#bits[each] = before | bits;
      isMore ||= this.#bits[each] !== before;
    }
    return isMore;
  }
}

/** The bits of its inputs that decide the wanted bits of a result. */
function bitsOf(effect: Compute, operands: readonly Operand[], wanted: number): number {
  const { operation, types } = effect;
  if (types.some(({ bits }) => bits !== 32) || operands.length > 3) return ALL;
  const [, first, second] = operands;
  const constant = second?.kind === 'immediate' ? second.value.low | 0 : null;
  if (operation === 'setp') return isOfSign(effect, constant) ? SIGN : ALL;
  if (operation === 'mov') return first?.kind === 'register' ? wanted : ALL;
  if (operation === 'and' && constant !== null) return (wanted & constant) >>> 0;
  const isBitwise = operation === 'and' || operation === 'or' || operation === 'xor';
  return isBitwise || operation === 'not' ? wanted : ALL;
}

/** Whether a comparison with a constant asks for the sign alone. */
function isOfSign({ types, comparison }: Compute, constant: number | null): boolean {
  if (!types.every(({ name }) => name === 's32')) return false;
  if (constant === 0) return comparison === 'lt' || comparison === 'ge';
  return constant === -1 && (comparison === 'gt' || comparison === 'le');
}
