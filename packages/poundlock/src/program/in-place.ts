// Runs a role from its start to its end where operations are performed at the call: in one go.
import { InputError } from '../base/index.ts';
import { OpKind, type Op } from '../op/index.ts';
import { exchangeRunning, type RoleContext } from './context.ts';
import { End, type LoopDetail } from './loop.ts';
import { asInputError } from './user-code.ts';
import { encodeValue } from './value.ts';

/**
 * Runs the role of `context` to its end on the calling thread. `perform` performs each operation,
 * blocks where it waits, and answers it; rounds of loops follow each other here.
 */
export function runInPlace(context: RoleContext, perform: (op: Op) => number): void {
  const outer = exchangeRunning(context);
  context.perform = (op) => (op.kind === OpKind.loop ? runLoop(context, op) : perform(op));
  try {
    finish(context, context.role.body());
    dropLeaks(context, 0, new Set());
  } catch (error) {
    throw asInputError(`role ${context.role.name}`, error);
  } finally {
    exchangeRunning(outer);
  }
}

/** Runs a generator whose operations are performed at the call: it never yields. */
function finish(context: RoleContext, body: Generator<Op, unknown, number>): unknown {
  const { done, value } = body.next(0);
  if (done === true) return value;
  throw new InputError(
    `role ${context.role.name} yielded something that is no operation: write yield* before one`,
    context.declaredAt(),
  );
}

function runLoop(context: RoleContext, op: Op): number {
  const detail = op.detail as LoopDetail;
  const { ownership, role } = context;
  let { state } = detail;
  for (;;) {
    const firstId = ownership.nextId;
    ownership.stretch++;
    const returned = finish(context, detail.body(state));
    const isEnd = returned instanceof End;
    const value = isEnd ? (returned.result as unknown) : returned;
    if (value === undefined) {
      throw new InputError(
        `a round of the loop in role ${role.name} returned nothing: ` +
          `return the next state, or end(result)`,
        context.declaredAt(),
      );
    }
    if (ownership.live.size > 0) {
      const what = `the state of a loop in role ${role.name}`;
      const { ids } = encodeValue(value, what, (id) => ownership.live.has(id));
      dropLeaks(context, firstId, new Set(ids));
    }
    if (!isEnd) {
      state = value;
      continue;
    }
    ownership.stretch++;
    detail.result = value;
    return 0;
  }
}

/** O04: handles that nobody can release any more are misuses, which are performed, too. */
function dropLeaks(context: RoleContext, firstId: number, kept: ReadonlySet<number>): void {
  for (const { op } of context.ownership.leaks(firstId, kept)) context.perform!(op);
}
