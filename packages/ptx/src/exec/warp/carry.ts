// Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. The flag is a register.
import type { Instruction, Operand } from '../../text/module.ts';
import type { Compute as Computation } from '../../isa/effect.ts';
import { readsCarry, writesCarry } from '../../isa/questions.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { isSigned } from './form.ts';
import * as wide from '../../values/wide.ts';
import { compute, sequence, silent } from './builder.ts';
import type { Compute } from './operation.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';

/** The sum, the difference or the product of inputs before it is cut to the width. */
type Whole = (a: bigint, b: bigint, c: bigint) => bigint;

function wholeOf({ operation, modifiers }: Computation, type: ScalarType): Whole {
  const { bits } = type;
  if (operation === 'add' || operation === 'addc') return (a, b) => a + b;
  if (operation === 'sub' || operation === 'subc') return (a, b) => a - b;
  if (!modifiers.has('hi')) return (a, b, c) => BigInt.asUintN(bits, a * b) + c;
  const read = (value: bigint): bigint => (isSigned(type) ? BigInt.asIntN(bits, value) : value);
  return (a, b, c) => BigInt.asUintN(bits, (read(a) * read(b)) >> BigInt(bits)) + c;
}

/** Builds an instruction that reads or writes the carry flag. */
export function withCarry(
  instruction: Instruction,
  effect: Computation,
  type: ScalarType,
  slots: Slots,
): Action {
  const whole = wholeOf(effect, type);
  const { bits } = type;
  const readsFlag = readsCarry(instruction);
  const flag: Operand = { kind: 'register', register: slots.named('carry') };
  const [to, a, b, c] = instruction.operands;
  const none: Operand = { kind: 'immediate', value: { low: 0, high: 0, isFloat: false } };
  const isDifference = effect.operation === 'sub' || effect.operation === 'subc';
  const value = (
    aL: number,
    aH: number,
    bL: number,
    bH: number,
    cL: number,
    cH: number,
    carry: number,
  ): bigint => {
    const read = (low: number, high: number): bigint =>
      wide.unsignedBig(low, bits === 64 ? high : 0);
    const sum = whole(read(aL, aH), read(bL, bH), read(cL, cH));
    const carried = BigInt(readsFlag ? carry : 0);
    return isDifference ? sum - carried : sum + carried;
  };
  const result: Compute = (out, aL, aH, bL, bH, cL, cH, d) =>
    wide.setBig(out, BigInt.asUintN(bits, value(aL, aH, bL, bH, cL, cH, d)));
  const carry: Compute = (out, aL, aH, bL, bH, cL, cH, d) =>
    wide.set(out, value(aL, aH, bL, bH, cL, cH, d) >> BigInt(bits) === 0n ? 0 : 1, 0);
  const inputs = [a, b, c ?? none, readsFlag ? flag : none];
  const sum = { kind: 'register', register: slots.temporary() } as const;
  // Both are computed before either is written: the destination may be an input.
  const steps = [compute(instruction, slots, { compute: result }, sum, inputs)];
  if (writesCarry(instruction))
    steps.push(compute(instruction, slots, { compute: carry, part: 1 }, flag, inputs));
  const move: Compute = (out, low, high) => wide.set(out, low, high);
  steps.push(compute(instruction, slots, { compute: move }, to, [sum]));
  return silent(sequence(steps));
}
