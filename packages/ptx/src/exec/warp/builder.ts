// How families of instructions turn an instruction of the text into an action.
import type { Effect, Role } from '../../isa/effect.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { isCommutative } from '../../isa/questions.ts';
import { seedOf } from '../../values/terms.ts';
import { readUnsaid } from '../origins/sources.ts';
import { isUnsaid } from '../machine/special-registers.ts';
import { kindOf } from './operation-kind.ts';
import { NEGATED } from './same-term.ts';
import { elementwise } from './elementwise.ts';
import { NOT_REACH } from './reaches.ts';
import type { Silent } from './elementwise.ts';
import type { Arithmetic } from './integer.ts';
import type { Action, Visible } from './program.ts';
import { OperandError } from './slots.ts';
import type { Slots } from './slots.ts';

/** An operand that is a memory address. */
export type AddressOperand = Extract<Operand, { kind: 'address' }>;

/** Builds the action of an instruction. */
export type Builder = (instruction: Instruction, slots: Slots) => Action;

/** Builds the action of an instruction whose effect is of one kind. */
export type BuilderOf<Of extends Effect> = (
  instruction: Instruction,
  effect: Of,
  slots: Slots,
) => Action;

/** The operand with a role; a form without it is an error of the table. */
export function operandOf({ operands, roles }: Instruction, role: Role): Operand {
  const operand = operands[roles[role] ?? -1];
  if (operand === undefined) throw new OperandError('an operand is missing');
  return operand;
}

/** The operand with a role, where an instruction has it. */
export function operandIfAny({ operands, roles }: Instruction, role: Role): Operand | undefined {
  return operands[roles[role] ?? -1];
}

/** The memory address with a role. */
export function addressWith(instruction: Instruction, role: Role): AddressOperand {
  const operand = operandOf(instruction, role);
  if (operand.kind !== 'address') throw new OperandError('expected an address in brackets');
  return operand;
}

export function silent(run: Silent): Action {
  return { kind: 'silent', run };
}

/** An instruction that others can observe: a look ahead ends there. */
export function visible(run: Visible): Action {
  return { kind: 'visible', run, mayLookAhead: false, isAccess: false };
}

/** An instruction that a look ahead can execute without a trace. */
export function transparent(run: Visible): Action {
  return { kind: 'visible', run, mayLookAhead: true, isAccess: true };
}

/** An instruction without an effect on values or on other warps. */
export const NOTHING: Action = silent(() => {});

/** An elementwise instruction over operands. */
export function compute(
  instruction: Instruction,
  slots: Slots,
  { compute: run, part = 0, adds, orders, partly, term, reach }: Arithmetic,
  destination: Operand | undefined,
  inputs: readonly (Operand | undefined)[],
): Silent {
  const prepared: Silent[] = [];
  const sources = [0, 1, 2, 3].map((index) => {
    const input = inputs[index];
    return input === undefined ? slots.zero : sourceOf(input, slots, prepared);
  }) as [number, number, number, number];
  const kind = kindOf(instruction, part, inputs.length);
  const written = slots.destination(destination);
  const main = elementwise({
    destination: written,
    bits: slots.bitsOf(written),
    sources,
    seed: seedOf(instruction.opcode) ^ part,
    isCommutative: isCommutative(instruction),
    compute: run,
    ...(adds === undefined ? {} : { adds }),
    ...(orders === undefined ? {} : { orders }),
    ...(partly === undefined ? {} : { partly }),
    ...(term === undefined ? {} : { term }),
    ...(kind === undefined ? {} : { kind }),
    ...(reach === undefined ? {} : { reach }),
  });
  return sequence([...prepared, main]);
}

/** The register of an input; `!p` and clocks are read into a register of their own first. */
export function sourceOf(operand: Operand, slots: Slots, prepared: Silent[]): number {
  if (operand.kind === 'special' && isUnsaid(operand.name)) {
    const own = slots.temporary();
    const { name } = operand;
    prepared.push((warp, mask) => readUnsaid(warp, mask, own, name));
    return own;
  }
  if (operand.kind !== 'not') return slots.source(operand);
  const register = slots.temporary();
  prepared.push(
    elementwise({
      destination: register,
      bits: 1,
      reach: NOT_REACH,
      sources: [slots.source(operand.operand), slots.zero, slots.zero, slots.zero],
      seed: seedOf('not.pred'),
      term: NEGATED,
      compute: (out, low) => {
        out.low = low === 0 ? 1 : 0;
        out.high = 0;
      },
    }),
  );
  return register;
}

/** Executes several parts of one instruction in order. */
export function sequence(parts: readonly Silent[]): Silent {
  const [first, second] = parts;
  if (first !== undefined && second === undefined) return first;
  return (warp, mask) => {
    for (const part of parts) part(warp, mask);
  };
}

/** The operand at an index, which has to be a memory address. */
export function addressOf(instruction: Instruction, index: number): AddressOperand {
  const operand = instruction.operands[index];
  if (operand?.kind !== 'address') throw new OperandError('expected an address in brackets');
  return operand;
}
