// Operations that a role performs with every tile, each with a `next` of its own, so that a JIT
// compiler can specialize it.
import { makeOp, OpKind, type Op } from '../op/index.ts';
import { currentRole } from './context.ts';
import { Operation } from './operation.ts';
import type { CompiledOp } from './executor.ts';
import type { Work } from './work.ts';

/** `yield* items.more()` (P10). */
export class More extends Operation<boolean> {
  readonly #op: Op;
  readonly #result: IteratorReturnResult<boolean> = { done: true, value: false };
  /** Known from the first time on where it is performed at the call. */
  #compiled: CompiledOp | null = null;

  constructor(op: Op) {
    super(op, (answer) => answer === 1, 'more()');
    this.#op = op;
  }

  override [Symbol.iterator](): this {
    if (this.#compiled === null) return super[Symbol.iterator]();
    if (this.pending > 0) this.creator!.perform(this);
    return this;
  }

  override next(answer?: number): IteratorResult<Op, boolean> {
    if (this.#compiled === null) {
      const { executor } = currentRole('yield*');
      if (executor === null) return super.next(answer);
      this.#compiled = executor.compile(this.#op);
    }
    this.#result.value = this.#compiled.run() === 1;
    return this.#result;
  }
}

const NOTHING: IteratorReturnResult<void> = { done: true, value: undefined };
const NEVER_YIELDED = makeOp(OpKind.compute, { cycles: 0, work: null });
const ignore = (): void => undefined;

/**
 * `yield* compute(cycles, work)` (S04). A role that writes its work where it does it makes one with
 * every tile, so the operation itself is made only for engines that have steps.
 */
export class Compute extends Operation<void> {
  readonly #cycles: number;
  readonly #work: Work | null;
  #step: Operation<void> | null = null;

  constructor(cycles: number, work: Work | null) {
    super(NEVER_YIELDED, ignore, 'compute()');
    this.#cycles = cycles;
    this.#work = work;
  }

  override [Symbol.iterator](): this {
    if (this.pending > 0) this.creator!.perform(this);
    this.#step?.[Symbol.iterator]();
    return this;
  }

  override next(answer?: number): IteratorResult<Op, void> {
    const { executor } = currentRole('yield*');
    if (executor === null) return this.#asStep().next(answer);
    if (this.#work !== null) executor.work(this.#work);
    return NOTHING;
  }

  #asStep(): Operation<void> {
    const args = { cycles: this.#cycles, work: this.#work };
    return (this.#step ??= new Operation(makeOp(OpKind.compute, args), ignore, this.call));
  }
}
