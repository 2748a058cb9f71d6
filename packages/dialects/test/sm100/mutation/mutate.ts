// Injects a fault at the n-th operation of a role, and runs the role anew: nothing is baked in.
import { makeOp, OpKind, type Op, type OpOf } from '@poundlock/core/internal/op';
import { currentRole, type Kernel, type RoleContext } from '@poundlock/core/internal/program';
import { End, end, type LoopDetail } from '../../../../core/src/program/loop.ts';
import type { Fault } from './faults.ts';

/** Where a fault is: what a role posts or waits for, counted from 0; silent operations do not count. */
export interface Mutation {
  readonly role: number;
  readonly call: number;
  readonly fault: Fault;
}

/** How far a role has come; it stops counting behind the fault, so that loops still close. */
interface Progress {
  calls: number;
  /** Operations that a fault has moved behind the next wait. */
  readonly delayed: Op[];
}

type Body = Generator<Op, unknown, number>;

const UNCOUNTED: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.loop,
  OpKind.more,
  OpKind.stage,
  OpKind.fence,
  OpKind.own,
  OpKind.use,
  OpKind.disown,
]);

/** Whether the operations of a kind are counted. */
export function isCounted(kind: OpKind): boolean {
  return !UNCOUNTED.has(kind);
}

/** The kernel with one fault in it. */
export function mutate(kernel: Kernel, mutation: Mutation): Kernel {
  const build: Kernel['build'] = (params) =>
    kernel.build(params).map((role, index) => {
      if (index !== mutation.role) return role;
      const body = function* () {
        yield* drive(role.body(), { calls: 0, delayed: [] }, mutation);
      };
      return { ...role, body } as typeof role;
    });
  return { ...kernel, build };
}

/** Runs a body, and changes what it posts and yields where the fault says so. */
function* drive(body: Body, progress: Progress, mutation: Mutation): Body {
  let answer = 0;
  for (;;) {
    const context = currentRole('a mutant');
    const from = context.postedCount;
    const late = progress.delayed.splice(0);
    const result = body.next(answer);
    tamper(context, from, late, progress, mutation);
    if (result.done === true) {
      flush(context, progress);
      return result.value;
    }
    answer = yield* perform(result.value, progress, mutation);
  }
}

/** Changes the operations that were posted since `from`; what was delayed comes before them. */
function tamper(
  context: RoleContext,
  from: number,
  late: readonly Op[],
  progress: Progress,
  { call, fault }: Mutation,
): void {
  const posted = context.posted.slice(from, context.postedCount);
  const places = context.places.slice(from);
  const now: Op[] = [...late];
  const nowPlaces = late.map(() => places[0]);
  for (const [index, op] of posted.entries()) {
    const isHere = isCounted(op.kind) && progress.calls === call;
    if (isCounted(op.kind) && progress.calls <= call) progress.calls++;
    const put = (...ops: readonly Op[]): void => {
      now.push(...ops);
      nowPlaces.push(...ops.map(() => places[index]));
    };
    if (!isHere) put(op);
    else if (fault.kind === 'drop') continue;
    else if (fault.kind === 'double') put(op, op);
    else if (fault.kind === 'later') progress.delayed.push(op);
    else if (fault.kind === 'change') put(fault.change(op));
    else {
      // Before the last one that was counted: silent ones between them have no effect on others.
      const before = Math.max(
        0,
        now.findLastIndex((other) => isCounted(other.kind)),
      );
      now.splice(before, 0, op);
      nowPlaces.splice(before, 0, places[index]);
    }
  }
  context.posted.splice(from, posted.length, ...now);
  context.postedCount = from + now.length;
  if (context.capture) context.places.splice(from, places.length, ...nowPlaces);
}

/** What was delayed until now happens at the end. */
function flush(context: RoleContext, progress: Progress): void {
  for (const op of progress.delayed.splice(0)) {
    context.posted.splice(context.postedCount++, 0, op);
    if (context.capture) context.places.push(undefined);
  }
}

function* perform(op: Op, progress: Progress, mutation: Mutation): Generator<Op, number, number> {
  if (op.kind === OpKind.loop) return yield* performLoop(op, progress, mutation);
  const { call, fault } = mutation;
  const isHere = isCounted(op.kind) && progress.calls === call;
  const isDrain =
    op.kind === OpKind.waitStage && fault.kind === 'drop' && fault.ofDrain === op.args.isDraining;
  if (isCounted(op.kind) && progress.calls <= call) progress.calls++;
  if (op.kind === OpKind.waitStage && isDrain && progress.calls > call) return yield stageOf(op);
  if (!isHere) return yield op;
  if (fault.kind === 'change') return yield fault.change(op);
  if (fault.kind !== 'drop') {
    const answer = yield op;
    yield op;
    return answer;
  }
  return op.kind === OpKind.waitStage ? yield stageOf(op) : 0;
}

/** Answers the stage of a wait, without a wait. */
function stageOf({ args }: OpOf<typeof OpKind.waitStage>): Op {
  return makeOp(OpKind.stage, { ring: args.ring, side: args.side });
}

/** A loop whose state also says how far the role has come. */
function* performLoop(
  op: OpOf<typeof OpKind.loop>,
  progress: Progress,
  mutation: Mutation,
): Generator<Op, number, number> {
  const inner = op.args.loop as LoopDetail;
  const body = function* (carried: unknown): Body {
    const { calls, state } = carried as { calls: number; state: unknown };
    const own: Progress = { calls, delayed: [] };
    const returned = yield* drive(inner.body(state) as Body, own, mutation);
    if (!(returned instanceof End)) return { calls: own.calls, state: returned };
    return end({ calls: own.calls, state: returned.result as object });
  };
  const state = { calls: progress.calls, state: inner.state };
  const { calledAt } = inner;
  const detail: LoopDetail = { state, body, calledAt, result: undefined };
  yield makeOp(OpKind.loop, { loop: detail });
  const result = detail.result as { calls: number; state: unknown };
  progress.calls = result.calls;
  inner.result = result.state;
  return 0;
}
