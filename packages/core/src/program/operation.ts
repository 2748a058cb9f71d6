// The iterator behind every `yield*`: it yields one operation and returns what its answer means.
import { currentPosition, InputError } from '../base/index.ts';
import type { Op } from '../op/index.ts';
import { currentRole, runningRole, type RoleContext } from './context.ts';
import type { Performable, PendingOperations } from './pending-operations.ts';

/**
 * A blocking operation, to be performed with `yield*`, whose result has the type `T` (P03). An
 * object that offers operations creates each of them once and returns it again and again, so that
 * a step allocates nothing. It can be stored and performed later, in the role that created it. One
 * that is created and never performed is the finding `floating-op` (P13).
 *
 * @example
 * const ready: boolean = yield* tryWait(bar, 0);
 * if (ready) read(tile);
 */
export class Operation<T> implements Iterable<Op, T, number>, Iterator<Op, T, number> {
  /** @internal */
  readonly call: string;
  /** @internal */
  pending = 0;
  /** @internal */
  creator: PendingOperations | null = null;
  readonly #yielded: { done: false; value: Op };
  readonly #returned: { done: true; value: T | undefined } = { done: true, value: undefined };
  readonly #decode: (answer: number) => T;
  /** The role instance that waits at it; others only where roles share one call of the kernel. */
  #waiting: RoleContext | null = null;
  #others: Set<RoleContext> | null = null;

  /** @internal */
  constructor(op: Op, decode: (answer: number) => T, call: string) {
    this.#yielded = { done: false, value: op };
    this.#decode = decode;
    this.call = call;
  }

  /**
   * What `yield*` calls.
   *
   * @internal
   */
  [Symbol.iterator](): this {
    const context = runningRole();
    if (this.pending > 0) (context?.ownership.pending ?? this.creator!).perform(this);
    this.#resumes(context);
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
      if (!context.sharesCall) requireOwn(this, context.ownership.pending);
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
export function operation(op: Op, call: string): Operation<void> {
  return new Operation<void>(op, nothing, call);
}

/**
 * Hands an operation to the program, which has to perform it before the role ends (P13). For an
 * operation that is kept and returned again and again; what functions such as `wait` return has
 * been handed over.
 *
 * @example
 * const acquire = producer.acquire(Slot, 'acquire()');
 * return [
 *   role('fill', function* () {
 *     for (let tile = 0; tile < 2; tile++) (yield* created(acquire)).release();
 *   }),
 *   role('empty', function* () {
 *     for (let tile = 0; tile < 2; tile++) (yield* created(empty)).release();
 *   }),
 * ];
 */
export function created<O extends Performable>(operation: O): O {
  const context = currentRole(operation.call);
  const { ownership } = context;
  ownership.pending.add(operation, ownership.nextId++, context.position());
  return operation;
}

/** P01: roles share nothing; an operation of another role came through a variable of the module. */
function requireOwn({ call, creator }: Performable, own: PendingOperations): void {
  if (creator === null || creator === own) return;
  throw new InputError(
    `an operation is performed by the role that creates it, and another role called ${call}`,
    currentPosition(),
  );
}

function nothing(): void {}
