// Callbacks that are passed to functions whose text is not at hand: now or later, with handles of
// their own.
import { ownershipIn } from '../contract/tags.ts';
import type { Call } from '../syntax/node.ts';
import { escapes } from './closures.ts';
import { invoke } from './invoke.ts';
import { isListening } from './borrows.ts';
import { makeInstance } from './lifetime.ts';
import { callsNow } from './outside-call.ts';
import { reachableFrom } from './reach.ts';
import type { Out, Run } from './run.ts';
import { withEntry, withInstance, type State } from './state.ts';
import { NIL, UNKNOWN, constant, type Value } from './value.ts';
import type { Shape, Target } from './world.ts';

/** `new VideoDecoder({ output: (frame) => … })`: the callback is one of the options. */
export function calledBack(
  run: Run,
  node: Call,
  target: Target,
  index: number,
  value: Value,
  state: State,
): State {
  const { argument, option } = target.gives ?? {};
  if (option === undefined || argument !== index || value.k !== 'obj') return state;
  const callback = state.heap.get(value.id)?.props.get(option);
  if (callback?.k !== 'fn') return state;
  const [out] = passFunction(run, node, target, index, callback, state);
  return out?.state ?? state;
}

function shareCaptured(state: State, closure: Value): State {
  let next = state;
  for (const id of reachableFrom(state, [closure]).instances) {
    next = withInstance(next, id, { isShared: true });
  }
  return next;
}

export function passFunction(
  run: Run,
  node: Call,
  target: Target,
  index: number,
  value: Extract<Value, { k: 'fn' }>,
  state: State,
): Out[] {
  const { fn } = value;
  const { gives, promises } = target;
  const declared = target.fn?.parameters[index]?.type;
  const types = declared?.kind === 'function' ? declared.parameters : [];
  const made: Value[] = [];
  let next = state;
  for (const [at_, parameter] of fn.parameters.entries()) {
    const type = types[at_];
    const given = gives?.argument === index ? gives.shapes[at_] : undefined;
    const shape =
      given ?? (target.fn && type ? run.world.shapeOf(type.type, target.fn) : undefined);
    if (shape?.k !== 'handle') {
      made.push(UNKNOWN);
      continue;
    }
    const isOwned =
      given !== undefined || (type !== undefined && ownershipIn(type.doc) === 'owned');
    const out = callbackHandle(run, next, shape, parameter, isOwned);
    made.push(out.value);
    next = out.state;
  }
  if (callsNow(target, index)) {
    return invoke(run, value, made, next, node).map((out) => handedBack(run, out, made));
  }
  if (gives?.argument === index && gives.shapes.length > 1) {
    // `(error, handle) => …`: with an error there is no handle.
    const failed = made.map((each, at) =>
      at === 0 ? constant('error') : each.k === 'ref' ? NIL : each,
    );
    const given: Value[] = [NIL, ...made.slice(1)];
    const ids = made.flatMap((each) => (each.k === 'ref' ? [each.id] : []));
    if (gives.releaser !== undefined) given[gives.releaser] = { k: 'releaser', ids };
    const [outs] = run.catching(() => invoke(run, value, given, next, node));
    run.catching(() => invoke(run, value, failed, state, node));
    return [
      { state: outs.map((out) => handedBack(run, out, made))[0]?.state ?? next, value: UNKNOWN },
    ];
  }
  if (made.some((each) => each.k === 'ref')) {
    // It is run once, to see what it does with the handles that it is given.
    const outs = run.catching(() => invoke(run, value, made, next, node))[0];
    const after = outs.map((out) => handedBack(run, out, made))[0]?.state ?? next;
    return [{ state: after, value: UNKNOWN }];
  }
  // What a listener uses lives as long as the listener.
  const heard = isListening(target) ? shareCaptured(next, value) : next;
  return [
    {
      state: escapes(run, heard, value, promises.callsLater ? 'later' : 'unknown'),
      value: UNKNOWN,
    },
  ];
}

function callbackHandle(
  run: Run,
  state: State,
  { contract, maybeNull }: Extract<Shape, { k: 'handle' }>,
  parameter: { readonly start: number; readonly end: number },
  isOwned: boolean,
): Out {
  const id = `callback:${parameter.start}`;
  const site = { ...run.place(parameter), what: '', isOwn: true };
  const status = isOwned ? 'live' : 'borrowed';
  const instance = { ...makeInstance(id, site, { contract, status, maybeNull }), isBound: true };
  const instances = withEntry(state.instances, id, instance);
  return { state: { ...state, instances }, value: { k: 'ref', id } };
}

/** The callback is over: handles that it was lent are nobody's to keep. */
function handedBack(run: Run, { state, value }: Out, made: readonly Value[]): Out {
  let next = state;
  let isLent = false;
  for (const each of made) {
    if (each.k !== 'ref') continue;
    const instance = next.instances.get(each.id);
    if (instance === undefined) continue;
    const { left, site } = instance;
    if (left) next = run.fault('escaping-handle', next, instance, left, { other: site });
    isLent ||= value.k === 'ref' && value.id === each.id;
    const instances = new Map(next.instances);
    instances.delete(each.id);
    next = { ...next, instances };
  }
  return { state: next, value: isLent ? UNKNOWN : value };
}
