// What a load, a store or an atomic access says: its state space, its elements and its operands.
import type { Access, AtomicOperation, Space } from '../../isa/effect.ts';

import type { ScalarClass } from '../../isa/scalar-type.ts';

export type { Space };
import type { AccessKind } from '../../steps/step.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { isSigned, signExtend, truncate } from './form.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** How steps have an access. */
function accessKind({ op, isStrong }: Access): AccessKind {
  if (op === 'atomic' || op === 'reduction') return 'atomic';
  return isStrong ? 'volatile' : 'plain';
}

/** What an atomic access does to a number; what it does to floats is not followed. */
export type Atomic = Exclude<AtomicOperation, 'min' | 'max'> | AtomicLimit | 'of floats';
type AtomicLimit = 'min' | 'max' | 'signed min' | 'signed max';

function atomicOf({ operation, type }: Access): Atomic | '' {
  if (operation === null) return '';
  if (type !== null && !INTEGERS.has(type.class)) return 'of floats';
  if (operation !== 'min' && operation !== 'max') return operation;
  return type !== null && isSigned(type) ? `signed ${operation}` : operation;
}

const INTEGERS: ReadonlySet<ScalarClass> = new Set(['bits', 'unsigned', 'signed']);

/** What a memory instruction reads and writes. */
export interface Form {
  readonly space: Space;
  readonly bytes: number;
  readonly width: number;
  readonly kind: AccessKind;
  readonly isStore: boolean;
  /** Whether it changes memory: a store, or an atomic. */
  readonly isWrite: boolean;
  /** Registers that receive what is loaded. */
  readonly results: readonly number[];
  /** Registers that are stored, or the inputs of an atomic. */
  readonly values: readonly number[];
  /** What the table says of it. */
  readonly access: Access;
  /** The operation of an atomic; empty for loads and stores. */
  readonly atomic: Atomic | '';
  /** Bits to which loaded signed integers are extended from; 0 for others. */
  readonly signBits: number;
}

/** The elements of a vector, or the operand itself. */
export function elementsOf(operand: Operand | undefined): readonly (Operand | undefined)[] {
  return operand?.kind === 'vector' ? operand.elements : [operand];
}

/** What an instruction reads and writes. */
export function formOf(instruction: Instruction, effect: Access, slots: Slots): Form {
  const { operands } = instruction;
  const { op, type, space, width } = effect;
  const isAtomic = op === 'atomic' || op === 'reduction';
  const isStore = op === 'store';
  const results = isStore || op === 'reduction' ? [] : elementsOf(operands[0]);
  const values = isStore
    ? elementsOf(operands[1])
    : isAtomic
      ? operands.slice(op === 'atomic' ? 2 : 1)
      : [];
  return {
    space,
    bytes: effect.bytes,
    width,
    kind: accessKind(effect),
    isStore,
    isWrite: isStore || isAtomic,
    results: results.map((operand) => slots.destination(operand)),
    values: values.flatMap((operand) =>
      elementsOf(operand).map((element) => slots.source(element)),
    ),
    access: effect,
    atomic: isAtomic ? atomicOf(effect) : '',
    signBits: type !== null && isSigned(type) && type.bits <= 32 ? type.bits : 0,
  };
}

/** Extends a signed integer of `signBits` bits to a register of `bits` bits; 0: it is none. */
export function extend(loaded: Wide, signBits: number, bits: number): void {
  if (signBits === 0) return;
  const value = signExtend(loaded.low, signBits);
  loaded.low = truncate(value, bits);
  loaded.high = bits === 64 && value < 0 ? 0xffff_ffff : 0;
}

/** Writes a loaded value into a lane of a register. */
export function deliver(
  warp: Warp,
  register: number,
  lane: number,
  loaded: Wide,
  isKnown: boolean,
  signBits: number,
): void {
  if (isKnown) extend(loaded, signBits, warp.program.bitsOf(register));
  warp.registers.setUniform(register, loaded, isKnown, 1 << lane, warp.lanes);
}
