// Calls: resolves the callee and dispatches to the part of the analysis that models it.
import { mayRelease } from '../contract/contract.ts';
import { promisesOf } from '../contract/tags.ts';
import type { CallExpression, FunctionNode, MemberExpression } from '../syntax/node.ts';
import { failsWhenAbandoned } from './abandoned-streams.ts';
import { assigned } from './object-assign.ts';
import { collectionMethod, eachUnknown, isCollectionClass, valuesOf } from './collections.ts';
import { construct } from './construct.ts';
import { escapes, escapeValue } from './closures.ts';
import { DESTRUCTOR } from './class-info.ts';
import { endedByOther, endedWith, releasedByReceiver, releasedInside } from './indirect-release.ts';
import { chainObject, evaluateList, popTemps } from './expressions.ts';
import { foldOuts } from './fold.ts';
import { recordHandler } from './handlers.ts';
import { rootText } from './locks-on-throw.ts';
import { handleMethod } from './handle-call.ts';
import { applyFunction, invoke } from './invoke.ts';
import { byFact, factKey, isEither, knownFact } from './conditions.ts';
import { idAt, escape } from './lifetime.ts';
import { PREDICATE_NAME } from './predicates.ts';
import { isBorrowed } from './borrows.ts';
import { overwritesEntry } from './overwrites.ts';
import { passArguments, share, takenOver } from './outside-call.ts';
import { promisedBy } from './promise-executor.ts';
import { chained, gathered } from './promises.ts';
import { parameterAt } from './rest-parameters.ts';
import { resultOf, escapeFromScope } from './results.ts';
import { releaseUntaken } from './optional-callbacks.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { stackMethod } from './stacks.ts';
import { newObject, pushTemp, type FlowState } from './state.ts';
import { applyNamed } from './summary.ts';
import { UNKNOWN, promise, type Value } from './value.ts';
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
    let during = row.state;
    for (const value of row.values) during = pushTemp(during, value);
    return call(row.values, during).map((out) => {
      const { state: after } = popTemps(out.state, row.values.length + 1);
      return { ...out, state: after };
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
    return [{ state: next, value: UNKNOWN }];
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
function targetCall(
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
    const next = first.k === 'fn' ? escapes(run, state, first, 'later') : state;
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
    return outs.map((out) => ({ state: out.state, value: promise(UNKNOWN, { mayReject }) }));
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
  return { state: newObject(state, id, kind, { rest }), value: { k: 'obj', id } };
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
      methodCall(run, node, callee, object.value, args, before),
    ),
  );
  return [...outs, ...ended];
}

function methodCall(
  run: FlowRun,
  node: CallExpression,
  callee: MemberExpression,
  self: Value,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  const name = callee.name ?? '';
  switch (self.k) {
    case 'ref': {
      const stack = stackMethod(run, node, self.id, name, args, state);
      if (stack !== undefined) return stack;
      // Closing a browser closes what it has opened.
      const before = releasedByReceiver(run, node, name, state) ?? state;
      return handleMethod(run, node, callee, self, args, before);
    }
    case 'promise': {
      const outs = chained(run, node, state, self, name, args);
      if (outs !== undefined) return outs;
      // A value with other methods is not a promise: the name was misleading.
      return targetCall(run, node, args, escape(run, state, self, run.place(node)));
    }
    case 'obj': {
      const known = state.heap.get(self.id)?.props.get(name);
      if (known !== undefined && known.k !== 'unknown') {
        return invoke(run, known.k === 'fn' ? { ...known, self } : known, args, state, node);
      }
      const outs = collectionMethod(run, node, self.id, name, args, state);
      if (outs !== undefined) return outs;
      // A value with other methods is not an array and may return its contents.
      if (state.heap.get(self.id)?.kind === 'array' && !READ_ONLY_METHOD.test(name)) {
        return targetCall(run, node, args, escape(run, state, self, run.place(node)));
      }
      if (
        state.heap.get(self.id)?.isWrapper &&
        (DESTRUCTOR.test(name) || PREDICATE_NAME.test(name))
      ) {
        return targetCall(run, node, args, escape(run, state, self, run.place(node)));
      }
      break;
    }
    case 'fn':
    case 'releaser':
    case 'method':
      return functionMethod(run, node, self, name, args, state);
    case 'unknown': {
      const outs = isChained(name, args) && chained(run, node, state, promise(UNKNOWN), name, args);
      if (outs) return outs;
      break;
    }
    default:
  }
  const released =
    releasedByReceiver(run, node, name, state) ?? releasedInside(run, node, callee, state);
  if (released !== undefined) return [{ state: released, value: UNKNOWN }];
  const [event, handler] = node.args;
  if (ADDS_LISTENER.test(name) && event?.kind === 'literal' && handler !== undefined) {
    recordHandler(run, state, callee.object, String(event.value), handler, args[1] ?? UNKNOWN);
  }
  const ended = endedByOther(name, state);
  if (ended !== state) return targetCall(run, node, args, ended);
  const tidied = tidiedCall(run, node, name, args, state);
  if (tidied !== undefined) return tidied;
  const done =
    staticCall(run, node, callee, args, state) ?? throwIfAborted(run, node, callee, state);
  if (done !== undefined) return done;
  if (DESTRUCTOR.test(name))
    return targetCall(run, node, args, endedWith(run, node, callee, state));
  if (failsWhenAbandoned(run, name, callee.object)) {
    let shared = state;
    for (const value of args) shared = escapeValue(run, shared, value, run.place(node));
    run.raise(shared, 1, 'may throw', node);
  }
  if (STORES.test(name) && isStandard(run, node) && !isNoStore(run, node, args, state)) {
    overwritesEntry(run, node, args[1] ?? UNKNOWN, state);
    let next = state;
    for (const value of args) next = escapeValue(run, next, value, run.place(node));
    return [{ state: next, value: UNKNOWN }];
  }
  if (/^(get|has)$/.test(name) && args.length > 0 && isStandard(run, node)) {
    // A lookup may return a handle that is already known and owned.
    return [{ state: share(state, args[0]!), value: UNKNOWN }];
  }
  if (args[0]?.k === 'fn' && isArrayMethod(run, node, name)) {
    return eachUnknown(run, node, name, args[0], state);
  }
  return targetCall(run, node, args, state);
}

/** A value with these methods is a promise. */
function isChained(name: string, args: readonly Value[]): boolean {
  return name === 'catch' || (/^(then|finally)$/.test(name) && args[0]?.k === 'fn');
}

const ADDS_LISTENER = /^(addEventListener|on|once|addListener)$/;

/** `signal.throwIfAborted()` follows the known value of `signal.aborted`. */
function throwIfAborted(
  run: FlowRun,
  node: CallExpression,
  callee: MemberExpression,
  state: FlowState,
): Evaluated[] | undefined {
  if (callee.name !== 'throwIfAborted') return undefined;
  const key = `${factKey(callee.object)}.aborted`;
  if (knownFact(state, key) === undefined && !isEither(state, key)) return undefined;
  const { yes, no } = byFact(state, key, false);
  for (const each of yes) run.raise(each, 0, 'throws', node);
  return no.map((each) => ({ state: each, value: UNKNOWN }));
}

/**
 * `tidy(() => …)`: handles created in its callback are released after it, except the returned ones.
 */
function tidiedCall(
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

const ARRAY_METHODS =
  /^(map|flatMap|forEach|filter|some|every|find(Index|Last)?|reduce(Right)?|sort|toSorted)$/;

const READ_ONLY_METHOD = /^(includes|(lastI|i)ndexOf|join|keys|has|toString)$/;

/** Methods of collections and streams that store their argument. */
const STORES = /^(push|unshift|set|add|enqueue|splice|postMessage|append)$/;

function isStandard(run: FlowRun, node: CallExpression): boolean {
  const { module, fn, releases } = run.world.target(node, run.frame.file);
  return fn === undefined && releases === undefined && (module === 'lib' || module === undefined);
}

/** A model lists the method as taking or borrowing an argument: `x.add(y)`. */
function isNoStore(
  run: FlowRun,
  node: CallExpression,
  args: readonly Value[],
  state: FlowState,
): boolean {
  const target = run.world.target(node, run.frame.file);
  if (args.some((value, index) => takenOver(target, index, value, state))) return true;
  // The result of a collection's method is not used.
  const isWanted = !run.statements.has(node);
  return isWanted && args.some((value) => isBorrowed(target, value, state));
}

/** Probably a method of arrays: its callback runs before it returns. */
function isArrayMethod(run: FlowRun, node: CallExpression, name: string): boolean {
  if (!ARRAY_METHODS.test(name)) return false;
  const { module, fn } = run.world.target(node, run.frame.file);
  return fn === undefined && (module === undefined || module === 'lib');
}

function functionMethod(
  run: FlowRun,
  node: CallExpression,
  self: Value,
  name: string,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] {
  if (name === 'bind') return [{ state, value: self }];
  if (name === 'call') return invoke(run, self, args.slice(1), state, node);
  if (name === 'apply') return invoke(run, self, [], state, node);
  return targetCall(run, node, args, state);
}

/** `Promise.all(…)`, `Object.freeze(…)`: functions of well-known objects. */
function staticCall(
  run: FlowRun,
  node: CallExpression,
  { object, name = '' }: MemberExpression,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  if (object.kind !== 'name' || object.variable !== undefined) return undefined;
  const [first = UNKNOWN] = args;
  switch (`${object.text}.${name}`) {
    case 'Promise.all':
    case 'Promise.allSettled':
    case 'Promise.race':
    case 'Promise.any':
      return [gathered(run, node, state, first, name)];
    case 'Promise.resolve':
      if (first.k === 'promise') return [{ state, value: first }];
      return [{ state, value: promise(first, { mayReject: false }) }];
    case 'Object.values':
      return [first.k === 'obj' ? valuesOf(run, node, first.id, state) : { state, value: UNKNOWN }];
    case 'Object.freeze':
    case 'Object.seal':
    case 'Array.from':
      return [{ state, value: first }];
    case 'Object.assign':
      return [assigned(run, node, args, state)];
    default:
      return undefined;
  }
}
