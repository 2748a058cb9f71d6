// Initial values of a function's parameters when it is walked separately.
import { ownershipIn, promisesOf } from '../contract/tags.ts';
import { ownershipOfType } from '../obligations/brands.ts';
import type { FunctionNode, Parameter } from '../syntax/node.ts';
import { mayBeNullish } from '../syntax/type-node.ts';
import { makeInstance } from './lifetime.ts';
import type { FlowRun } from './run.ts';
import { newObject, withEntry, type FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { ValueShape } from './world.ts';

/** Handles in parameters: owned or borrowed by tag, or of unknown ownership. */
export function parameterValues(
  run: FlowRun,
  fn: FunctionNode,
  state: FlowState,
): { state: FlowState; values: Value[] } {
  let next = state;
  const values: Value[] = [];
  const { parameters } = promisesOf(fn.doc);
  const carried = run.world.carried(fn);
  for (const [index, parameter] of fn.parameters.entries()) {
    if (index === 0 && carried !== undefined) {
      const shape = { k: 'handle', contract: carried, maybeNull: true } as const;
      const created = parameterValue(run, parameter, shape, 'owned', next);
      values.push(created.value);
      next = created.state;
      continue;
    }
    const shape = run.world.shapeOf(parameter.type, fn);
    const { target } = parameter;
    const named = target.kind === 'name' ? parameters.get(target.text)?.ownership : undefined;
    const isChunk = index === 0 && isTransformer(fn.parameters[1]);
    const stated = ownershipIn(parameter.doc) ?? ownershipOfType(parameter.type, fn.file);
    const ownership = stated ?? named ?? (isChunk ? 'owned' : undefined);
    const created = parameterValue(run, parameter, shape, ownership, next);
    values.push(created.value);
    next = created.state;
  }
  return { state: next, values };
}

/**
 * Whether the parameter is the controller of a `transform(chunk, controller)`, which owns chunks.
 */
function isTransformer(controller: Parameter | undefined): boolean {
  const type = controller?.type;
  return type?.kind === 'named' && type.name === 'TransformStreamDefaultController';
}

function parameterValue(
  run: FlowRun,
  parameter: Parameter,
  shape: ValueShape,
  ownership: 'owned' | 'borrowed' | undefined,
  state: FlowState,
): { state: FlowState; value: Value } {
  if (shape.k === 'many') {
    const inner = parameterValue(run, parameter, shape.of, ownership, state);
    const id = `parameter:${parameter.start}[]`;
    const rest = inner.value.k === 'unknown' ? [] : [inner.value];
    const isOuter = ownership !== 'owned';
    const created = newObject(inner.state, id, 'array', { rest, isOuter });
    return { state: created, value: { k: 'obj', id } };
  }
  if (shape.k !== 'handle') return { state, value: UNKNOWN };
  const id = `parameter:${parameter.start}`;
  const { contract } = shape;
  const type = parameter.type;
  const maybeNull =
    shape.maybeNull || parameter.optional || type === undefined || mayBeNullish(type);
  const status = ownership === 'owned' ? 'live' : ownership === 'borrowed' ? 'borrowed' : 'param';
  const site = { ...run.place(parameter), what: '', isOwn: true };
  const instance = { ...makeInstance(id, site, { contract, status, maybeNull }), isBound: true };
  return {
    state: { ...state, instances: withEntry(state.instances, id, instance) },
    value: { k: 'ref', id },
  };
}
