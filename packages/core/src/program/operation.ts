// The iterator behind every `yield*`: it yields one operation and returns what its answer means.
import type { Op } from '../op/index.ts';
import { currentRole, runningRole, type RoleContext } from './context.ts';

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
  /** The role instance that waits at it; others only where roles share one call of the kernel. */
  #waiting: RoleContext | null = null;
  #others: Set<RoleContext> | null = null;

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
    this.#resumes(runningRole());
    return this;
  }

  /**
   * What `yield*` calls.
   *
   * @internal
   */
  next(answer?: number): IteratorResult<Op, T> {
    const context = currentRole('yield*');
    if (!this.#resumes(context)) {
      if (context.executor !== null) {
        this.#returned.value = this.#decode(context.executor.perform(this.#yielded.value));
        return this.#returned as IteratorReturnResult<T>;
      }
      if (this.#waiting === null) this.#waiting = context;
      else (this.#others ??= new Set()).add(context);
      if (context.capture) context.yieldedAt = context.position();
      return this.#yielded;
    }
    this.#returned.value = this.#decode(answer!);
    return this.#returned as IteratorReturnResult<T>;
  }

  /** Whether a role instance waited here; it does no longer. */
  #resumes(context: RoleContext | null): boolean {
    if (this.#waiting === context) {
      this.#waiting = null;
      return context !== null;
    }
    return this.#others !== null && this.#others.delete(context!);
  }
}

/** An operation whose answer means nothing. */
export function operation(op: Op): Operation<void> {
  return new Operation<void>(op, nothing);
}

function nothing(): void {}
