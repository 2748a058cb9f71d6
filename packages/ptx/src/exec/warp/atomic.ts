// The new value that an atomic operation stores.
import * as wide from '../../values/wide.ts';
import type { Wide } from '../../values/wide.ts';
import type { Atomic } from './access-form.ts';
import { truncate } from './form.ts';

type Operation = (old: bigint, first: bigint, second: bigint, bits: number) => bigint;

/** Whether a number is below another one, both signed. */
function isBelow(one: bigint, other: bigint, bits: number): boolean {
  return BigInt.asIntN(bits, one) < BigInt.asIntN(bits, other);
}

const OPERATIONS: Readonly<Record<Atomic, Operation | null>> = {
  add: (old, first) => old + first,
  exch: (_old, first) => first,
  cas: (old, first, second) => (old === first ? second : old),
  and: (old, first) => old & first,
  or: (old, first) => old | first,
  xor: (old, first) => old ^ first,
  inc: (old, first) => (old >= first ? 0n : old + 1n),
  min: (old, first) => (first < old ? first : old),
  max: (old, first) => (first > old ? first : old),
  'signed min': (old, first, _second, bits) => (isBelow(first, old, bits) ? first : old),
  'signed max': (old, first, _second, bits) => (isBelow(old, first, bits) ? first : old),
  dec: (old, first) => (old === 0n || old > first ? first : old - 1n),
  'of floats': null,
};

/** Atomics whose final value does not depend on their order. */
export const COMMUTATIVE: ReadonlySet<Atomic | ''> = new Set([
  'add',
  'and',
  'or',
  'xor',
  'min',
  'max',
  'signed min',
  'signed max',
]);

/** Above all values of a word. */
const ABOVE_VALUES = 2 ** 32;

/** Stands for an atomic whose final value does not depend on the order; `null` for others. */
export function effectOf(atomic: Atomic | ''): number | null {
  return COMMUTATIVE.has(atomic) ? ABOVE_VALUES + [...COMMUTATIVE].indexOf(atomic) : null;
}

/**
 * Computes what is stored into `second`, which holds the second input before.
 *
 * @returns Whether the operation is modelled.
 */
export function atomicResult(
  name: Atomic | '',
  bytes: number,
  old: Wide,
  first: Wide,
  second: Wide,
): boolean {
  const operation = name === '' ? null : OPERATIONS[name];
  if (operation === null) return false;
  const read = (value: Wide): bigint =>
    bytes === 8 ? wide.unsignedBig(value.low, value.high) : BigInt(truncate(value.low, bytes * 8));
  wide.setBig(second, operation(read(old), read(first), read(second), bytes * 8));
  if (bytes < 8) wide.set(second, truncate(second.low, bytes * 8), 0);
  return true;
}
