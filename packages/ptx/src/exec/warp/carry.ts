// Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. The flag is a register.
import type { Instruction, Operand } from '../../text/module.ts';
import { isSigned as isSignedType, typeAt } from './form.ts';
import * as wide from '../../values/wide.ts';
import { compute, sequence, silent } from './builder.ts';
import { data } from './data.ts';
import type { Compute } from './elementwise.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';

/** The sum, the difference or the product of inputs before it is cut to the width. */
type Whole = (a: bigint, b: bigint, c: bigint) => bigint;

function wholeOf(parts: readonly string[], bits: number, isSigned: boolean): Whole | null {
  const width = BigInt(bits);
  const read = (value: bigint): bigint => (isSigned ? BigInt.asIntN(bits, value) : value);
  switch (parts[0]!.replace(/c$/, '')) {
    case 'add':
      return (a, b) => a + b;
    case 'sub':
      return (a, b) => a - b;
    case 'mad':
      if (parts.includes('hi'))
        return (a, b, c) => BigInt.asUintN(bits, (read(a) * read(b)) >> width) + c;
      return (a, b, c) => BigInt.asUintN(bits, a * b) + c;
    default:
      return null;
  }
}

/** Whether an instruction reads or writes the carry flag. */
export function usesCarry({ parts }: Instruction): boolean {
  return parts.includes('cc') || /^(add|sub|mad)c$/.test(parts[0]!);
}

/** Builds an instruction that reads or writes the carry flag. */
export function withCarry(instruction: Instruction, slots: Slots): Action {
  const { parts, operands } = instruction;
  const type = typeAt(parts);
  const whole = type === undefined ? null : wholeOf(parts, type.bits, isSignedType(type));
  if (type === undefined || whole === null) return silent(data(instruction, slots));
  const { bits } = type;
  const readsFlag = parts[0]!.endsWith('c');
  const flag: Operand = { kind: 'register', register: slots.named('carry') };
  const [to, a, b, c] = operands;
  const none: Operand = { kind: 'immediate', value: { low: 0, high: 0, isFloat: false } };
  const isDifference = parts[0]!.startsWith('sub');
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
  if (parts.includes('cc'))
    steps.push(compute(instruction, slots, { compute: carry }, flag, inputs));
  const move: Compute = (out, low, high) => wide.set(out, low, high);
  steps.push(compute(instruction, slots, { compute: move }, to, [sum]));
  return silent(sequence(steps));
}
