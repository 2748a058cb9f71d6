// Converts a recorded run to a kernel: each role repeats its recorded operations in their order.
// A certificate of that kernel holds for the run that was recorded.
import { CATALOGUE, isOpen, isSilent, OpKind, type Op } from '@poundlock/core/internal/op';
import {
  Operation,
  post,
  RecordingSteps,
  Unfolding,
  type Kernel,
  type Program,
} from '@poundlock/core/internal/program';
import { System, type Move } from '@poundlock/core/internal/system';

/** Whether an operation affects only its own role; a step affects the role's next wait. */
function isPrivate({ kind }: Op): boolean {
  return isSilent(kind) && kind !== OpKind.step;
}

function* replayOps(ops: readonly Op[]): Generator<Op, void, number> {
  for (const op of ops) {
    // An operation belongs to one role instance.
    const own: Op = { ...op, resolved: null };
    if (CATALOGUE[op.kind]!.yields) yield* new Operation(own, (answer) => answer, 'a replay');
    else post(own);
  }
}

/**
 * The roles of `program` with the operations of `path`, which starts at the initial state; `null`
 * if the result of one of them depends on the order of the roles.
 */
export function traceKernel(program: Program, path: readonly Move[]): Kernel | null {
  const { kernel, params, roles } = program;
  program.rows.areTextsRead = false;
  let unfolding: Unfolding | undefined;
  let recording: RecordingSteps | undefined;
  const system = new System(program, (_, machine) => {
    unfolding = new Unfolding(program, machine);
    return (recording = new RecordingSteps(unfolding, roles.length));
  });
  const words = system.initial();
  for (const move of path) system.apply(words, move);
  const lists: Op[][] = [];
  const allocated = new Set<number>();
  for (const list of recording!.lists) {
    const ops = list.map(({ instruction }) => unfolding!.resolver.opOf(instruction!));
    for (const op of ops) {
      if (isOpen(op.kind)) return null;
      if (op.kind !== OpKind.alloc) continue;
      // Only the first allocation does not depend on which buffers are free.
      if (allocated.has(op.args.pool)) return null;
      allocated.add(op.args.pool);
    }
    lists.push(ops.filter((op) => !isPrivate(op)));
  }
  const build: Kernel['build'] = () => {
    return kernel.build(params).map((role, at) => ({ ...role, body: () => replayOps(lists[at]!) }));
  };
  return { ...kernel, defaults: params, build };
}
