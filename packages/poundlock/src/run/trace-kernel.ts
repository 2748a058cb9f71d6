// A run as a program of its own: each role does again what it did, in its order, and asks nothing.
// Whatever is proved of that holds for what was really done, whoever decided it.
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

/** What nobody but the role itself sees; a step moves what it waits for next. */
function isPrivate({ kind }: Op): boolean {
  return isSilent(kind) && kind !== OpKind.step;
}

function* replayOps(ops: readonly Op[]): Generator<Op, void, number> {
  for (const op of ops) {
    // An operation belongs to one role instance.
    const own: Op = { ...op, resolved: null };
    if (CATALOGUE[op.kind]!.yields) yield* new Operation(own, (answer) => answer);
    else post(own);
  }
}

/**
 * The roles of `program` as they went along `path`, which begins where they do; `null` where one
 * of them asked for something that another order of the roles would have answered otherwise.
 */
export function traceKernel(program: Program, path: readonly Move[]): Kernel | null {
  const { kernel, params, roles } = program;
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
      // Which buffer one gets depends on what is free, but for the first.
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
