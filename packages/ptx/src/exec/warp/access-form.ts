// What a load, a store or an atomic access says: its state space, its elements and its operands.
import type { AccessKind } from '../../steps/step.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { elementBytes, isSigned, signExtend, truncate, typeAt, vectorWidth } from './form.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** A state space as an opcode names it. */
export type Space = 'shared' | 'global' | 'local' | 'param' | 'const' | 'generic';

const SPACE = /^(shared|global|local|param|const)/;

/** The state space that an opcode names; generic if it names none. */
export function spaceOf(parts: readonly string[]): Space {
  for (const part of parts) {
    const match = SPACE.exec(part);
    if (match !== null) return match[1] as Space;
  }
  return 'generic';
}

const ORDERED = new Set(['volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'mmio']);

function accessKind(parts: readonly string[]): AccessKind {
  if (parts[0] === 'atom' || parts[0] === 'red') return 'atomic';
  return parts.some((part) => ORDERED.has(part)) ? 'volatile' : 'plain';
}

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
  /** The operation of an atomic; empty for loads and stores. */
  readonly atomic: string;
  /** Bits to which loaded signed integers are extended from; 0 for others. */
  readonly signBits: number;
}

/** The elements of a vector, or the operand itself. */
export function elementsOf(operand: Operand | undefined): readonly (Operand | undefined)[] {
  return operand?.kind === 'vector' ? operand.elements : [operand];
}

const ATOMICS = new Set(['add', 'exch', 'cas', 'and', 'or', 'xor', 'min', 'max', 'inc', 'dec']);

/** What an instruction says. */
export function formOf(instruction: Instruction, slots: Slots): Form {
  const { parts, operands } = instruction;
  const isAtomic = parts[0] === 'atom' || parts[0] === 'red';
  const isStore = parts[0] === 'st';
  const type = typeAt(parts);
  const results = parts[0] === 'st' || parts[0] === 'red' ? [] : elementsOf(operands[0]);
  const values = isStore
    ? elementsOf(operands[1])
    : isAtomic
      ? operands.slice(parts[0] === 'atom' ? 2 : 1)
      : [];
  const is128 = type?.bits === 128;
  return {
    space: spaceOf(parts),
    bytes: is128 ? 16 : elementBytes(parts),
    width: vectorWidth(parts),
    kind: accessKind(parts),
    isStore,
    isWrite: isStore || isAtomic,
    results: results.map((operand) => slots.destination(operand)),
    values: values.flatMap((operand) =>
      elementsOf(operand).map((element) => slots.source(element)),
    ),
    atomic: isAtomic ? (parts.find((part) => ATOMICS.has(part)) ?? 'other') : '',
    signBits: type !== undefined && isSigned(type) && type.bits <= 32 ? type.bits : 0,
  };
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
  if (signBits > 0 && isKnown) {
    const value = signExtend(loaded.low, signBits);
    const bits = warp.program.bitsOf(register);
    loaded.low = truncate(value, bits);
    loaded.high = bits === 64 && value < 0 ? 0xffff_ffff : 0;
  }
  warp.registers.setUniform(register, loaded, isKnown, 1 << lane, warp.lanes);
}
