// Runs a role in place, from its start to its end: operations are performed at the call.
import { InputError } from '../base/index.ts';
import { OpKind, type Op, type OpOf } from '../op/index.ts';
import { exchangeRunning, type RoleContext } from './context.ts';
import { StageHandle } from './handle.ts';
import { End, type LoopDetail } from './loop.ts';
import type { Executor, CompiledOp } from './executor.ts';
import { asInputError } from './user-code.ts';
import { copyValue, encodeValue, type StateOwner } from './value.ts';
import type { Work } from './work.ts';

/** What an engine performs, and rounds of loops, which follow each other in the same instance. */
class InPlace implements Executor {
  readonly #context: RoleContext;
  readonly #engine: Executor;

  constructor(context: RoleContext, engine: Executor) {
    this.#context = context;
    this.#engine = engine;
  }

  perform(op: Op): number {
    return op.kind === OpKind.loop ? runLoop(this.#context, op) : this.#engine.perform(op);
  }

  compile(op: Op): CompiledOp {
    return this.#engine.compile(op);
  }

  work(work: Work): void {
    this.#engine.work(work);
  }
}

/** Runs the role of `context` to its end on the calling thread, as `engine` performs it. */
export function runInPlace(context: RoleContext, engine: Executor): void {
  const outer = exchangeRunning(context);
  context.executor = new InPlace(context, engine);
  try {
    finish(context, context.role.body());
    dropLeaks(context, 0, []);
  } catch (error) {
    throw asInputError(`role ${context.role.name}`, error, context.ownership.pending);
  } finally {
    exchangeRunning(outer);
  }
}

/** Runs a generator whose operations are performed at the call: it never yields. */
function finish(context: RoleContext, body: Generator<Op, unknown, number>): unknown {
  const { done, value } = body.next(0);
  if (done === true) return value;
  throw new InputError(
    `role ${context.role.name} yielded a value that is not an operation: ` +
      'write yield* before an operation',
    context.declaredAt(),
  );
}

function runLoop(context: RoleContext, op: OpOf<typeof OpKind.loop>): number {
  const detail = op.args.loop as LoopDetail;
  const { ownership, role } = context;
  const owner = { role: role.name, loop: detail };
  let state = copyValue(detail.state, owner);
  for (;;) {
    const firstId = ownership.nextId;
    ownership.stretch++;
    const returned = finish(context, detail.body(state));
    const isEnd = returned instanceof End;
    const value: unknown = isEnd ? returned.result : returned;
    if (value === undefined) {
      throw new InputError(
        `a round of the loop in role ${role.name} returned nothing: ` +
          `return the next state, or end(result)`,
        context.declaredAt(),
      );
    }
    const carried = copyValue(value, owner);
    if (ownership.hasLeft) {
      dropLeaks(context, firstId, handlesIn(carried, owner, context));
    }
    if (!isEnd) {
      state = carried;
      continue;
    }
    ownership.stretch++;
    detail.result = carried;
    return 0;
  }
}

/** The ids of the handles that a loop's state carries. Mostly it is one handle, and no more. */
function handlesIn(
  value: unknown,
  owner: StateOwner,
  { ownership }: RoleContext,
): readonly number[] {
  if (value instanceof StageHandle && value.linear) return [value.id];
  return encodeValue(value, owner, (id) => ownership.live.has(id)).ids;
}

/** O04: handles that can not be released any more are misuses, which are performed, too. */
function dropLeaks(context: RoleContext, firstId: number, carried: readonly number[]): void {
  for (const { op } of context.ownership.leaks(firstId, carried)) context.executor!.perform(op);
}
