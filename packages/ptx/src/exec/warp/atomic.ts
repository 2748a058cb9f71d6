// The new value that an atomic operation stores.
import * as wide from '../../values/wide.ts';
import type { Wide } from '../../values/wide.ts';
import { truncate } from './form.ts';

type Operation = (old: bigint, first: bigint, second: bigint) => bigint;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (old, first) => old + first,
  exch: (_old, first) => first,
  cas: (old, first, second) => (old === first ? second : old),
  and: (old, first) => old & first,
  or: (old, first) => old | first,
  xor: (old, first) => old ^ first,
  inc: (old, first) => (old >= first ? 0n : old + 1n),
  dec: (old, first) => (old === 0n || old > first ? first : old - 1n),
};

/** Atomics whose final value does not depend on their order. */
export const COMMUTATIVE: ReadonlySet<string> = new Set(['add', 'and', 'or', 'xor']);

/**
 * Computes what is stored into `second`, which holds the second input before.
 *
 * @returns Whether the operation is modelled.
 */
export function atomicResult(
  name: string,
  bytes: number,
  old: Wide,
  first: Wide,
  second: Wide,
): boolean {
  const operation = OPERATIONS[name];
  if (operation === undefined) return false;
  const read = (value: Wide): bigint =>
    bytes === 8 ? wide.unsignedBig(value.low, value.high) : BigInt(truncate(value.low, bytes * 8));
  wide.setBig(second, operation(read(old), read(first), read(second)));
  if (bytes < 8) wide.set(second, truncate(second.low, bytes * 8), 0);
  return true;
}
