// `new`: the ownership of the arguments, and whether the new object must be released.
import type { CallExpression, ClassNode } from '../syntax/node.ts';
import { applyNamed } from './summary.ts';
import { create, idAt, escape, move, use } from './lifetime.ts';
import { passArguments, ruleFor, share } from './outside-call.ts';
import { reachableFrom } from './reach.ts';
import { resultOf } from './results.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { newObject, withObject, type FlowState, type HandleStatus } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

export function construct(
  run: FlowRun,
  node: CallExpression,
  classNode: ClassNode,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const target = run.world.target(node, run.frame.file);
  const declared = run.world.contractOfClass(classNode);
  const isAmbient = classNode.methods.every(({ body }) => body === undefined);
  if (isAmbient && classNode.file.isDeclarations) {
    return passArguments(run, node, target, args, state).flatMap((out) =>
      declared === undefined
        ? [out]
        : resultOf(
            run,
            out.state,
            { k: 'handle', contract: declared, maybeNull: false },
            node,
            undefined,
            false,
          ),
    );
  }
  const info = run.world.classInfo(classNode);
  const { contract = declared, parameters } = info;
  const constructor = classNode.methods.find(({ form, body }) => form === 'constructor' && body);
  const entered =
    constructor === undefined
      ? [{ state, value: UNKNOWN }]
      : applyNamed(run, constructor, args, UNKNOWN, state, node);
  return entered.flatMap((out) => {
    let next = out.state;
    for (const [index, value] of args.entries()) {
      const ownership = ruleFor({ ...target, fn: constructor }, index)?.ownership;
      // Tags were applied with the constructor.
      if (ownership !== undefined && constructor !== undefined) continue;
      const inferred = constructor && parameters.get(index);
      // A class without a destructor may release its arguments at any time.
      const isLax = ownership === undefined && contract === undefined && inferred === 'owned';
      next = isLax
        ? escape(run, next, value, run.place(node))
        : take(run, node, next, value, ownership ?? inferred ?? 'shared');
    }
    if (contract === undefined) return [wrapped(run, node, args, next)];
    const status = contract.starts.length > 0 ? 'idle' : 'live';
    const isInferred = contract === info.contract && (declared ?? contract) === contract;
    const needsProof = isInferred && info.needsProof;
    return [create(run, next, node, { contract, status, needsProof })];
  });
}

/** A wrapper: an object constructed with handles, which escape with it. */
export function wrapped(
  run: FlowRun,
  node: CallExpression,
  args: readonly Value[],
  state: FlowState,
): Evaluated {
  const rest = args.filter((value) => {
    if (value.k !== 'ref' && value.k !== 'obj') return false;
    const { instances } = reachableFrom(state, [value]);
    return [...instances].some((id) => LIVING.has(state.instances.get(id)?.status ?? 'escaped'));
  });
  if (rest.length === 0) return { state, value: UNKNOWN };
  const id = `${idAt(run, node)}new`;
  const wrapper = newObject(state, id, 'object', { rest, isWrapper: true });
  return { state: wrapper, value: { k: 'obj', id } };
}

/** The new object keeps a collection: what it is given later has that object as its owner. */
function holding(state: FlowState, value: Value): FlowState {
  let next = state;
  for (const id of reachableFrom(state, value.k === 'obj' ? [value] : []).objects) {
    next = withObject(next, id, { isEscaped: true });
  }
  return next;
}

const LIVING: ReadonlySet<HandleStatus> = new Set(['live', 'pending']);

function take(
  run: FlowRun,
  node: CallExpression,
  state: FlowState,
  value: Value,
  ownership: 'owned' | 'borrowed' | 'shared',
): FlowState {
  if (ownership === 'shared') return share(holding(state, value), value);
  let next = state;
  for (const id of reachableFrom(state, value.k === 'fn' ? [] : [value]).instances) {
    next =
      ownership === 'owned'
        ? move(run, next, id, 'moved', run.place(node))
        : use(run, next, id, run.place(node));
  }
  return next;
}
