// The iterator behind every `yield*`: it yields one operation and returns what its answer means.
import type { Op } from '../op/index.ts';
import { currentRole } from './context.ts';

/**
 * A blocking operation, to be performed with `yield*`, whose result has the type `T` (P03). An
 * object that offers operations creates each of them once and returns it again and again, so that
 * a step allocates nothing.
 *
 * @example
 * const ready: boolean = yield* tryWait(bar, 0);
 * if (ready) read(tile);
 */
export class Operation<T> implements Iterable<Op, T, number>, Iterator<Op, T, number> {
  readonly #yielded: { done: false; value: Op };
  readonly #returned: { done: true; value: T | undefined } = { done: true, value: undefined };
  readonly #decode: (answer: number) => T;
  #waiting = false;

  /** @internal */
  constructor(op: Op, decode: (answer: number) => T) {
    this.#yielded = { done: false, value: op };
    this.#decode = decode;
  }

  /**
   * What `yield*` calls.
   *
   * @internal
   */
  [Symbol.iterator](): this {
    this.#waiting = false;
    return this;
  }

  /**
   * What `yield*` calls.
   *
   * @internal
   */
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
