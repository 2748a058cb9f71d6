// Touches of a loop that lie beside each other, as one.
import type { StoredElements, Touch } from '../../steps/touches.ts';

/** Numbers of values that are one and the same. */
class Numbers {
  readonly #known = new Map<unknown, number>();

  of(value: unknown): number {
    let number = this.#known.get(value);
    if (number === undefined) this.#known.set(value, (number = this.#known.size));
    return number;
  }
}

/** Plain accesses by lanes of a warp: each copy is over when it likes, and a word may be a flag. */
function mayJoin({ kind, isCopy, isSized }: Touch): boolean {
  return kind === 'plain' && isCopy !== true && isSized !== true;
}

/** What touches have in common that differ by where they are alone. */
function keyOf(touch: Touch, numbers: Numbers): string {
  const { warp, lanes, isRead, isWrite, unit, reach, isPossible, guard, origin, stored } = touch;
  const { list, base, stride } = touch;
  const what = `${warp} ${lanes} ${isRead} ${isWrite} ${unit} ${reach} ${isPossible}`;
  const by = guard === null ? '' : `${numbers.of(guard.guard)} ${guard.isNegated} ${guard.mask}`;
  // Lanes of one expression are as far from each other.
  const shape = list === null ? `${stride}` : list.map((each) => each - base).join();
  const where = origin === null ? shape : `of ${numbers.of(origin)}`;
  return `${what} ${by}:${where}:${stored === null ? '' : storedKey(stored, numbers)}`;
}

function storedKey({ origins, fixed, isLeftOut }: StoredElements, numbers: Numbers): string {
  return `${isLeftOut} ${fixed} ${origins.map((each) => numbers.of(each)).join()}`;
}

/** Touches that lie beside each other, or on each other, as one. */
export function denseOf(list: readonly Touch[]): readonly Touch[] {
  const numbers = new Numbers();
  const dense: Touch[] = [];
  const alike = new Map<string, Touch[]>();
  for (const touch of list) {
    if (!mayJoin(touch)) {
      dense.push(touch);
      continue;
    }
    const key = keyOf(touch, numbers);
    const own = alike.get(key);
    if (own === undefined) alike.set(key, [touch]);
    else own.push(touch);
  }
  for (const own of alike.values()) dense.push(...joined(own));
  return dense.length === list.length ? list : dense;
}

/** Touches that differ by where they are, from the first one to the last one in memory. */
function joined(alike: readonly Touch[]): Touch[] {
  if (alike.length === 1) return [...alike];
  const found: Touch[] = [];
  const sorted = alike.toSorted((one, other) => one.base - other.base);
  let first = sorted[0]!;
  let end = first.base + first.bytes;
  let also = new Set(first.also);
  const close = (): void => {
    const bytes = end - first.base;
    also.delete(first.at);
    found.push(bytes === first.bytes && also.size === 0 ? first : { ...first, bytes, also });
  };
  for (const next of sorted.slice(1)) {
    if (next.base <= end && (next.base - first.base) % first.unit === 0) {
      end = Math.max(end, next.base + next.bytes);
      also.add(next.at);
      for (const at of next.also ?? []) also.add(at);
      continue;
    }
    close();
    first = next;
    end = next.base + next.bytes;
    also = new Set(first.also);
  }
  close();
  return found;
}
