// The numbers that a cell can have.
import { BoundError } from '../base/index.ts';

/** The largest value of a cell, positive or negative (bound `cell`). */
const MAX_CELL = 2 ** 31 - 1;

/** Throws for a number that is too large for a cell. */
export function requireCell(value: number): void {
  if (value <= MAX_CELL && value >= -MAX_CELL) return;
  throw new BoundError('cell', MAX_CELL, 'the value of a cell becomes too large');
}
