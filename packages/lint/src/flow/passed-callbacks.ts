// Callbacks that are passed to functions without a known body and receive handles as parameters.
import { ownershipIn } from '../contract/tags.ts';
import type { FunctionNode } from '../syntax/node.ts';
import { escapes } from './closures.ts';
import { invoke } from './invoke.ts';
import { isListening } from './borrows.ts';
import { makeInstance } from './lifetime.ts';
import { callsNow, shareReachable, type ArgumentPosition } from './outside-call.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withEntry, type FlowState } from './state.ts';
import { NIL, UNKNOWN, constant, type Value } from './value.ts';
import type { ValueShape } from './world.ts';

/** `new VideoDecoder({ output: (frame) => … })`: the callback is one of the options. */
export function calledBack(position: ArgumentPosition, value: Value, state: FlowState): FlowState {
  const { argument, option } = position.target.callbackHandles ?? {};
  if (option === undefined || argument !== position.index || value.k !== 'obj') return state;
  const callback = state.heap.get(value.id)?.props.get(option);
  if (callback?.k !== 'fn') return state;
  const [out] = passFunction(position, callback, state);
  return out?.state ?? state;
}

export function passFunction(
  argument: ArgumentPosition,
  value: Extract<Value, { k: 'fn' }>,
  state: FlowState,
): Evaluated[] {
  const { run, node, target, index } = argument;
  const { callbackHandles, promises } = target;
  const [parameters, next] = callbackParameters(argument, value.fn, state);
  if (callsNow(target, index)) {
    return invoke(run, value, parameters, next, node).map((out) =>
      endCallback(run, out, parameters),
    );
  }
  const takesError = callbackHandles?.argument === index && callbackHandles.shapes.length > 1;
  if (takesError || parameters.some((parameter) => parameter.k === 'ref')) {
    const { releaser } = takesError ? callbackHandles : {};
    const received = takesError ? withoutError(parameters, releaser) : parameters;
    // It is walked once, with the handles that it receives.
    const [outs] = run.catching(() => invoke(run, value, received, next, node));
    // `(error, handle) => …`: with an error there is no handle.
    if (takesError) run.catching(() => invoke(run, value, withError(parameters), state, node));
    const [after] = outs.map((out) => endCallback(run, out, parameters));
    return [{ state: after?.state ?? next, value: UNKNOWN }];
  }
  // Handles used by a listener live as long as the listener.
  const listened = isListening(target) ? shareReachable(next, value) : next;
  const after = escapes(run, listened, value, promises.callsLater ? 'once' : 'unknown');
  return [{ state: after, value: UNKNOWN }];
}

/** What a callback receives, by the resource models and by the declared type of the function. */
function callbackParameters(
  { run, target: { callbackHandles, fn }, index }: ArgumentPosition,
  callback: FunctionNode,
  state: FlowState,
): [values: Value[], state: FlowState] {
  const declared = fn?.parameters[index]?.type;
  const types = declared?.kind === 'function' ? declared.parameters : [];
  const shapes = callbackHandles?.argument === index ? callbackHandles.shapes : [];
  let next = state;
  const values = callback.parameters.map((parameter, position): Value => {
    const type = types[position];
    const modeled = shapes[position];
    const shape = modeled ?? (fn && type ? run.world.shapeOf(type.type, fn) : undefined);
    if (shape?.k !== 'handle') return UNKNOWN;
    const isOwned =
      modeled !== undefined || (type !== undefined && ownershipIn(type.doc) === 'owned');
    const out = callbackHandle(run, next, shape, parameter, isOwned);
    next = out.state;
    return out.value;
  });
  return [values, next];
}

function withError([first, ...parameters]: readonly Value[]): Value[] {
  const failed = parameters.map((value) => (value.k === 'ref' ? NIL : value));
  return first === undefined ? [] : [constant('error'), ...failed];
}

function withoutError(parameters: readonly Value[], releaser: number | undefined): Value[] {
  const values: Value[] = [NIL, ...parameters.slice(1)];
  const ids = parameters.flatMap((value) => (value.k === 'ref' ? [value.id] : []));
  if (releaser !== undefined) values[releaser] = { k: 'releaser', ids };
  return values;
}

function callbackHandle(
  run: FlowRun,
  state: FlowState,
  { contract, maybeNull }: Extract<ValueShape, { k: 'handle' }>,
  parameter: { readonly start: number; readonly end: number },
  isOwned: boolean,
): Evaluated {
  const id = `callback:${parameter.start}`;
  const site = { ...run.place(parameter), what: '', isOwn: true };
  const status = isOwned ? 'live' : 'borrowed';
  const instance = { ...makeInstance(id, site, { contract, status, maybeNull }), isBound: true };
  const instances = withEntry(state.instances, id, instance);
  return { state: { ...state, instances }, value: { k: 'ref', id } };
}

/** Ends a callback: borrowed handles must not outlive it. */
function endCallback(
  run: FlowRun,
  { state, value }: Evaluated,
  parameters: readonly Value[],
): Evaluated {
  let next = state;
  let isBorrowed = false;
  for (const each of parameters) {
    if (each.k !== 'ref') continue;
    const instance = next.instances.get(each.id);
    if (instance === undefined) continue;
    const { leftScope, site } = instance;
    if (leftScope) next = run.fault('escaping-handle', next, instance, leftScope, { other: site });
    isBorrowed ||= value.k === 'ref' && value.id === each.id;
    const instances = new Map(next.instances);
    instances.delete(each.id);
    next = { ...next, instances };
  }
  return { state: next, value: isBorrowed ? UNKNOWN : value };
}
