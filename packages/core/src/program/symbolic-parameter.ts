// A symbolic parameter: stands for every number. A count can take it, any other use is recorded.
import { currentPosition, type Position } from '../base/index.ts';

/**
 * Given to a kernel in place of a number. Computing or comparing with it gives `value`, and is
 * noted: what a kernel does with the number is then known for this value alone.
 */
export class SymbolicParameter {
  readonly name: string;
  readonly value: number;
  /** Where it was first used as a plain number; `null` while it was not. */
  usedAt: Position | null | undefined = null;

  constructor(name: string, value: number) {
    this.name = name;
    this.value = value;
  }

  get isUsed(): boolean {
    return this.usedAt !== null;
  }

  [Symbol.toPrimitive](): number {
    return this.note();
  }

  toJSON(): number {
    return this.note();
  }

  /** Notes that its value is needed. */
  note(): number {
    if (this.usedAt === null) this.usedAt = currentPosition();
    return this.value;
  }
}
