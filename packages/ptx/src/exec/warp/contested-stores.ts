// Lanes that store into the same bytes by one instruction: the ISA does not say which is the last.
import { countAsEqual } from '../origins/equal-values.ts';
import type { StoredValue } from '../../steps/stored-value.ts';
import type { Warp } from './warp.ts';

/** What lanes store by one instruction: two numbers for each range, and for its value. */
interface Stores {
  readonly writes: readonly number[];
  readonly values: readonly number[];
  readonly stored: readonly (StoredValue | null)[];
  /** Whether an address is unknown. */
  readonly isPossible: boolean;
}

/** Whether ranges lie behind one another, as those of most stores do. */
function areInOrder(ranges: readonly number[]): boolean {
  for (let index = 2; index < ranges.length; index += 2)
    if (ranges[index]! < ranges[index - 1]!) return false;
  return true;
}

function isEqual(values: readonly number[], one: number, other: number): boolean {
  return values[one] === values[other] && values[one + 1] === values[other + 1];
}

/** Makes bytes unknown into which lanes store different values. */
export function forgetContested(
  { machine: { memory } }: Warp,
  { writes, values, stored, isPossible }: Stores,
): void {
  if (!isPossible && areInOrder(writes)) return;
  // Each address is a multiple of what is stored: ranges that meet are one.
  const last = new Map<number, number>();
  for (let index = 0; index < writes.length; index += 2) {
    const from = writes[index]!;
    const before = last.get(from);
    last.set(from, index);
    if (before === undefined && !isPossible) continue;
    const isAgain = before !== undefined && !isPossible && isEqual(values, before, index);
    // Data that is not known stays so, and whether it is equal need not be asked in each block.
    if (isAgain && stored[index]?.isKnown !== false) countAsEqual(stored[before]!, stored[index]!);
    else memory.overwrite(from, writes[index + 1]!);
  }
}
