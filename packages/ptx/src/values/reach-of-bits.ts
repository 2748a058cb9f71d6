// What is known of the result of logic on words, and of bit fields, as reach.ts has it.
import {
  anyOf,
  between,
  constantOf,
  isStill,
  quotient,
  remainder,
  STILL,
  stillIf,
  sum,
  unitOf,
  unsigned,
  withNear,
  zerosOf,
} from './reach.ts';
import type { Reach } from './reach.ts';

/** Whether bits that one value moves are none that the other one, which is still, may have. */
function areApart(moving: Reach, still: Reach): boolean {
  return moving.moves !== null && isStill(still) && still.most < unitOf(moving.moves);
}

/** Both with the one that moves first. */
function inOrder(one: Reach, other: Reach): readonly [Reach, Reach] {
  return isStill(one) ? [other, one] : [one, other];
}

/** The bits of an unsigned integer from some place on, as many as a number says. */
export function field(whole: Reach, position: Reach, length: Reach): Reach {
  const [first, count] = [constantOf(position), constantOf(length)];
  const isField =
    first !== null && count !== null && first >= 0 && count > 0 && first + count <= 32;
  if (!isField) return anyOf(64, stillIf(whole, position, length));
  return remainder(quotient(whole, 2 ** first), 2 ** count);
}

/** `and` of unsigned integers of some bits. */
export function both(one: Reach, other: Reach, bits: number): Reach {
  const [moving, still] = inOrder(unsigned(one, bits), unsigned(other, bits));
  const zeros = Math.max(moving.zeros, still.zeros);
  const most = Math.min(moving.most, still.most);
  if (areApart(moving, still)) return between(0, most, STILL, zeros);
  const mask = constantOf(still);
  const { moves } = moving;
  const size = (mask ?? 0) + 1;
  if (mask !== null && mask > 0 && 2 ** zerosOf(size) === size) return remainder(moving, size);
  // What is cut off lies below all bits that move.
  if (mask !== null && moves !== null && 2 ** bits - 1 - mask < unitOf(moves)) {
    const cut = 2 ** bits - 1 - mask;
    return between(Math.max(0, moving.least - cut), moving.most, moves, zeros);
  }
  const rest = between(0, most, stillIf(one, other), zeros);
  const unit = mask === null ? 0 : 2 ** zerosOf(mask);
  const isCut =
    mask !== null && mask + unit > moving.most && Number.isInteger(Math.log2(mask + unit));
  return isCut ? withNear(rest, { value: moving, ratio: 1, least: 1 - unit, most: 0 }) : rest;
}

/** `or`, or `xor`, of unsigned integers of some bits. */
export function either(one: Reach, other: Reach, bits: number, isExclusive: boolean): Reach {
  const [moving, still] = inOrder(unsigned(one, bits), unsigned(other, bits));
  const zeros = Math.min(moving.zeros, still.zeros);
  if (still.most < 2 ** moving.zeros || moving.most < 2 ** still.zeros) return sum(moving, still);
  const size = 2 ** Math.ceil(Math.log2(Math.max(moving.most, still.most) + 1));
  if (areApart(moving, still) && Number.isFinite(moving.most)) {
    const unit = 2 ** Math.ceil(Math.log2(still.most + 1));
    const least = isExclusive ? moving.least - unit : moving.least;
    return between(least, moving.most + unit, moving.moves, zeros);
  }
  const least = isExclusive ? 0 : Math.max(moving.least, still.least);
  const largest = Math.min(size - 1, moving.most + still.most);
  return between(least, largest, stillIf(one, other), zeros);
}
