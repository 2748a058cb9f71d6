// Integers of a type: how inputs are read and results are cut.
import type { ScalarType } from '../../isa/scalar-type.ts';

export function isSigned(type: ScalarType): boolean {
  return type.class === 'signed';
}

export function isFloat(type: ScalarType): boolean {
  return type.class === 'float';
}

/** Whether a value of a type is several numbers side by side. */
export function isPacked({ name }: ScalarType): boolean {
  return /x[24]$/.test(name);
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
