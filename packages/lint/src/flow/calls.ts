// Calls: resolves the callee and dispatches to the part of the analysis that models it.
import { mayRelease } from '../contract/contract.ts';
import { promisesOf } from '../contract/tags.ts';
import type { CallExpression, FunctionNode, MemberExpression } from '../syntax/node.ts';
import { isCollectionClass } from './collections.ts';
import { construct } from './construct.ts';
import { escapes } from './closures.ts';
import { releasedByReceiver } from './indirect-release.ts';
import { chainObject, evaluateList, popTemps } from './expressions.ts';
import { foldOuts } from './fold.ts';
import { rootText } from './locks-on-throw.ts';
import { applyFunction, invoke } from './invoke.ts';
import { idAt, escape } from './lifetime.ts';
import { passArguments } from './outside-call.ts';
import { promisedBy } from './promise-executor.ts';
import { methodCall } from './method-call.ts';
import { parameterAt } from './rest-parameters.ts';
import { resultOf, escapeFromScope } from './results.ts';
import { releaseUntaken } from './optional-callbacks.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { newObject, pushTemp, type FlowState } from './state.ts';
import { applyNamed } from './summary.ts';
import { UNKNOWN, promise, type Value } from './value.ts';
import { useArguments, usedByPromise } from './views.ts';
import type { CallTarget } from './world.ts';

export function callExpression(run: FlowRun, node: CallExpression, state: FlowState): Evaluated[] {
  const { callee } = node;
  const outs =
    callee.kind === 'member' ? memberCall(run, node, callee, state) : plainCall(run, node, state);
  return foldOuts(outs);
}

/** Evaluates the arguments, and keeps them and the callee as temporaries during the call. */
function withArguments(
  run: FlowRun,
  node: CallExpression,
  held: Value,
  state: FlowState,
  call: (values: readonly Value[], state: FlowState) => Evaluated[],
): Evaluated[] {
  return evaluateList(run, node.args, pushTemp(state, held)).flatMap((row) => {
    const used = useArguments(run, node, row.values, row.state);
    const during = { ...used, temps: [...used.temps, ...row.values] };
    return call(row.values, during).map((out) => {
      const { state: after } = popTemps(out.state, row.values.length + 1);
      return usedByPromise(run, node, { ...out, state: after }, row.values);
    });
  });
}

function plainCall(run: FlowRun, node: CallExpression, state: FlowState): Evaluated[] {
  const { callee } = node;
  if (callee.kind === 'super') return superCall(run, node, state);
  const { there, ended } = chainObject(run, callee, node.optional, state);
  const name = callee.kind === 'name' ? callee.text : '';
  const outs = there.flatMap((out) =>
    withArguments(run, node, out.value, out.state, (args, before) => {
      const isName = out.value.k === 'unknown' || out.value.k === 'fn';
      const released = isName ? releasedByReceiver(run, node, name, before) : undefined;
      if (released !== undefined) return [{ state: released, value: UNKNOWN }];
      return callValue(run, node, out.value, args, before);
    }),
  );
  return [...outs, ...ended.map((out) => ({ ...out, state: releaseUntaken(node, out.state) }))];
}

function superCall(run: FlowRun, node: CallExpression, state: FlowState): Evaluated[] {
  return evaluateList(run, node.args, state).flatMap((row) => {
    let next = row.state;
    for (const value of row.values) next = escape(run, next, value, run.place(node));
    const states = run.initialize?.(next) ?? [next];
    return states.map((each) => ({ state: each, value: UNKNOWN }));
  });
}

function callValue(
  run: FlowRun,
  node: CallExpression,
  callee: Value,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  if (callee.k === 'class' && node.isNew) {
    return construct(run, node, callee.node, args, state);
  }
  if (callee.k === 'fn' && receivesNever(callee.fn, node)) return [];
  const isTagged = callee.k === 'fn' && promisesOf(callee.fn.doc).returns === 'owned';
  if (callee.k === 'fn' && callee.fn.body !== undefined && !isTagged) {
    return applyFunction(run, callee.fn, args, callee.self, state, node);
  }
  if (callee.k !== 'unknown' && callee.k !== 'fn' && callee.k !== 'class') {
    return invoke(run, callee, args, state, node);
  }
  return targetCall(run, node, args, state);
}

/** `assertNever(kind)`: TypeScript has checked that the call is not reached, unless by a cast. */
function receivesNever(fn: FunctionNode | undefined, { args }: CallExpression): boolean {
  return args.some((each, index) => {
    const type = parameterAt(fn, index)?.type;
    if (type?.kind !== 'keyword' || type.name !== 'never') return false;
    return (each.kind === 'name' || each.kind === 'member') && each.cast !== 'never';
  });
}

/** A call whose target is resolved by the type checker. */
export function targetCall(
  run: FlowRun,
  node: CallExpression,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const target = run.world.target(node, run.frame.file);
  const { callee } = node;
  if (receivesNever(target.fn, node)) return [];
  const tidied =
    callee.kind === 'name' ? tidiedCall(run, node, callee.text, args, state) : undefined;
  if (tidied !== undefined) return tidied;
  if (callee.kind === 'name' && callee.variable === undefined) {
    const done = globalCall(run, node, callee.text, args, state);
    if (done !== undefined) return done;
  }
  if (node.isNew && target.classNode !== undefined && !target.classNode.isInterface) {
    return construct(run, node, target.classNode, args, state);
  }
  // A tag on the result takes precedence over the body.
  const isTagged = target.promises.returns === 'owned';
  if (target.fn?.body !== undefined && !node.isNew && !isTagged) {
    const self = callee.kind === 'member' && callee.object.kind === 'this' ? state.self : UNKNOWN;
    if (target.fn.isGenerator) {
      return [{ state, value: { k: 'generator', fn: target.fn, args } }];
    }
    const outs = applyNamed(run, target.fn, args, self, state, node);
    return outs.flatMap((out) => guessed(run, node, target, out));
  }
  return passArguments(run, node, target, args, state);
}

/** Where the body shows nothing, the name of a function may suggest that it returns a handle. */
function guessed(
  run: FlowRun,
  node: CallExpression,
  { guess }: CallTarget,
  out: Evaluated,
): Evaluated[] {
  const { state, value } = out;
  const settled = value.k === 'promise' ? value.value : value;
  if (guess.k === 'nothing' || settled.k !== 'unknown') return [out];
  if (value.k === 'promise' && value.rejected !== undefined) return [out];
  const handle = guess.k === 'promise' ? guess.of : guess;
  if (handle.k !== 'handle') return [out];
  const { contract } = handle;
  const { text } = run.frame.file;
  const isHeld =
    node.bound === undefined && contract.handedOff?.test(text.slice(node.start, node.end));
  if (!isHeld && !mayRelease(rootText(run), contract)) return [out];
  const mayReject = value.k !== 'promise' || value.mayReject;
  return resultOf(run, state, guess, node, undefined, mayReject);
}

const TIMERS =
  /^(set(Timeout|Interval|Immediate)|queueMicrotask|request(AnimationFrame|IdleCallback))$/;

/** Global functions and classes. */
function globalCall(
  run: FlowRun,
  node: CallExpression,
  name: string,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  const [first = UNKNOWN] = args;
  if (TIMERS.test(name)) {
    // Nothing can cancel a timer whose id is not kept.
    const isCertain = name === 'queueMicrotask' || run.statements.has(node);
    const isOnce = isCertain && name !== 'setInterval';
    const next = first.k === 'fn' ? escapes(run, state, first, isOnce ? 'once' : 'later') : state;
    return [
      {
        state: first.k === 'fn' ? next : escape(run, next, first, run.place(node)),
        value: UNKNOWN,
      },
    ];
  }
  if (!node.isNew) return undefined;
  if (isCollectionClass(name)) return [newCollection(run, node, name, first, state)];
  if (name === 'Promise' && first.k === 'fn') {
    // An exception from the executor rejects the promise, as its second parameter does.
    const [outs, thrown] = run.catching(() => invoke(run, first, [], state, node));
    const mayReject = first.fn.parameters.length > 1 || thrown.length > 0;
    const promised = promisedBy(run, first.fn);
    if (promised !== undefined) {
      return outs.flatMap((out) => resultOf(run, out.state, promised, node, undefined, mayReject));
    }
    return outs.map((out) => {
      // What the executor starts ends before the promise does.
      const uses = [...out.state.uses.keys()].filter((key) => !state.uses.has(key));
      return { state: out.state, value: promise(UNKNOWN, { mayReject, uses }) };
    });
  }
  return undefined;
}

function newCollection(
  run: FlowRun,
  node: CallExpression,
  name: string,
  first: Value,
  state: FlowState,
): Evaluated {
  const id = idAt(run, node);
  const from = first.k === 'obj' ? state.heap.get(first.id) : undefined;
  const rest = from ? [...from.props.values(), ...from.rest] : [];
  const kind = name === 'Array' || name === 'Set' ? 'array' : 'map';
  const isExact = node.args.length === 0 || from?.isExact === true;
  return { state: newObject(state, id, kind, { rest, isExact }), value: { k: 'obj', id } };
}

function memberCall(
  run: FlowRun,
  node: CallExpression,
  callee: MemberExpression,
  state: FlowState,
): Evaluated[] {
  const { there, ended } = chainObject(run, callee.object, callee.optional, state);
  const outs = there.flatMap((object) =>
    withArguments(run, node, object.value, object.state, (args, before) =>
      methodCall({
        run,
        node,
        callee,
        name: callee.name ?? '',
        self: object.value,
        args,
        state: before,
      }),
    ),
  );
  return [...outs, ...ended];
}

/**
 * `tidy(() => …)`: handles created in its callback are released after it, except the returned ones.
 */
export function tidiedCall(
  run: FlowRun,
  node: CallExpression,
  name: string,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  const callback = args.findLast((each) => each.k === 'fn');
  if (callback === undefined || run.world.tidiedBy(callback.fn) !== name) return undefined;
  run.cleanups.push(name);
  const outs = invoke(run, callback, [], state, node);
  run.cleanups.pop();
  const { owned } = run.world.target(node, run.frame.file);
  return outs.flatMap((out) => {
    const escaped = escapeFromScope(run, out, node);
    return escaped ? [escaped] : resultOf(run, out.state, owned, node, undefined, false);
  });
}
