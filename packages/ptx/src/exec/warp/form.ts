// The modifiers of an opcode: its type, and how its inputs are read and its result is cut.
import { byteSize, scalarType } from '../../isa/scalar-type.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';

/** The type that an opcode names at an index from its end, such as `u32` in `add.u32`. */
export function typeAt(parts: readonly string[], fromEnd = 0): ScalarType | undefined {
  return scalarType(parts[parts.length - 1 - fromEnd] ?? '');
}

export function isSigned(type: ScalarType): boolean {
  return type.class === 'signed';
}

export function isFloat(type: ScalarType): boolean {
  return type.class === 'float';
}

/** Sign-extends the low `bits` of a number to a signed 32-bit integer. */
export function signExtend(value: number, bits: number): number {
  return bits >= 32 ? value | 0 : (value << (32 - bits)) >> (32 - bits);
}

/** Keeps the low `bits` of a number as an unsigned integer. */
export function truncate(value: number, bits: number): number {
  return bits >= 32 ? value >>> 0 : value & (2 ** bits - 1);
}

/** Reads the low half of a register as an integer of a type of at most 32 bits. */
export function narrow(value: number, type: ScalarType): number {
  return isSigned(type) ? signExtend(value, type.bits) : truncate(value, type.bits);
}

/** Bytes of one element of an opcode's type; 4 where it names none. */
export function elementBytes(parts: readonly string[]): number {
  const type = typeAt(parts);
  return type === undefined ? 4 : byteSize(type);
}

const VECTORS = ['v2', 'v4', 'v8'] as const;

/** Elements of the vector form of an opcode: 1, 2, 4 or 8. */
export function vectorWidth(parts: readonly string[]): number {
  const vector = VECTORS.find((width) => parts.includes(width));
  return vector === undefined ? 1 : Number(vector.slice(1));
}
