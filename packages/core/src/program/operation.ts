// The iterator behind every `yield*`: it yields one operation and returns what its answer means.
import type { Op } from '../op/index.ts';
import { currentRole } from './context.ts';

/**
 * An operation that takes time, to be written `yield* endpoint.operation()`. An endpoint owns one
 * of these for each of its operations and hands it out again and again, so that a step of a
 * program allocates nothing (P03).
 *
 * @example
 * const ready: boolean = yield* tryWait(barrier, 0);
 */
export class Operation<T> implements Iterable<Op, T, number>, Iterator<Op, T, number> {
  readonly #yielded: { done: false; value: Op };
  readonly #returned: { done: true; value: T | undefined } = { done: true, value: undefined };
  readonly #decode: (answer: number) => T;
  #waiting = false;

  constructor(op: Op, decode: (answer: number) => T) {
    this.#yielded = { done: false, value: op };
    this.#decode = decode;
  }

  [Symbol.iterator](): this {
    this.#waiting = false;
    return this;
  }

  next(answer?: number): IteratorResult<Op, T> {
    if (!this.#waiting) {
      this.#waiting = true;
      const context = currentRole('yield*');
      if (context.executor !== null) {
        this.#waiting = false;
        this.#returned.value = this.#decode(context.executor.perform(this.#yielded.value));
        return this.#returned as IteratorReturnResult<T>;
      }
      if (context.capture) context.yieldedAt = context.position();
      return this.#yielded;
    }
    this.#waiting = false;
    this.#returned.value = this.#decode(answer!);
    return this.#returned as IteratorReturnResult<T>;
  }
}

/** An operation whose answer means nothing. */
export function operation(op: Op): Operation<void> {
  return new Operation<void>(op, nothing);
}

function nothing(): void {}
