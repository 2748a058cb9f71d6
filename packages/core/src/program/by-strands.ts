// Operations that only some strands of a role make: the others pass them by.
import { makeOp, OpKind, type Op } from '../op/index.ts';
import { currentRole, post, postOwn } from './context.ts';
import { created, Operation } from './operation.ts';
import { joinStrands } from './strand-joins.ts';
import { isApart, isOf } from './strand-operations.ts';
import type { By } from './strands.ts';

/** Posts an operation of some strands; without `by`, it is made once, when all have come. */
export function postBy(by: By | undefined, op: Op): void {
  if (by === undefined) return post(op);
  const context = currentRole('an operation');
  if (isOf(by, context)) postOwn(context, op);
}

/** Posts an operation that each of the strands makes, all of them unless specified. */
export function postEach(by: By | undefined, op: Op): void {
  const context = currentRole('an operation');
  if (isOf(by, context)) postOwn(context, op);
}

/** A blocking operation of some strands, each by itself. */
export function createdBy(by: By | undefined, make: () => Operation<void>): Operation<void> {
  return isOf(by, currentRole('an operation')) ? created(make()) : SKIPPED;
}

/** A blocking operation that one strand performs, after which all strands meet (W02). */
export function createdOnce(by: By | undefined, make: () => Operation<void>): Operation<void> {
  const context = currentRole('an operation');
  if (by !== undefined || !isApart(context)) return createdBy(by, make);
  const { role } = context;
  const meet = new Operation<void>(joinStrands(role), nothing, 'a meeting of strands');
  return created(role.part!.index > 0 ? meet : new InTurn(make(), meet));
}

/** An operation that a role's other strands make: there is nothing to do. */
class Skipped extends Operation<void> {
  override [Symbol.iterator](): this {
    return this;
  }

  override next(): IteratorResult<Op, void> {
    return DONE;
  }
}

/** Two operations one after the other. */
class InTurn extends Operation<void> {
  readonly #first: Operation<void>;
  readonly #second: Operation<void>;
  #at: Operation<void> | null = null;

  constructor(first: Operation<void>, second: Operation<void>) {
    super(NOTHING, nothing, first.call);
    this.#first = first;
    this.#second = second;
  }

  override [Symbol.iterator](): this {
    if (this.pending > 0) this.creator!.perform(this);
    this.#at = this.#first;
    this.#first[Symbol.iterator]();
    this.#second[Symbol.iterator]();
    return this;
  }

  override next(answer?: number): IteratorResult<Op, void> {
    const result = this.#at!.next(answer);
    if (result.done !== true || this.#at === this.#second) return result;
    this.#at = this.#second;
    return this.#second.next();
  }
}

const DONE: IteratorReturnResult<void> = { done: true, value: undefined };
const NOTHING = makeOp(OpKind.compute, { cycles: 0, work: null });
export const SKIPPED = new Skipped(NOTHING, nothing, 'an operation of other strands');

function nothing(): void {}
