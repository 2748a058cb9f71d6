// Calls of functions with known bodies: closures are walked where they are called.
import type { FunctionNode, Node } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { assign } from './assign.ts';
import { capturedBy } from './captures.ts';
import { escapeValue } from './closures.ts';
import { evaluate } from './expressions.ts';
import { fold } from './fold.ts';
import { endVariables } from './leaks.ts';
import { release, returned, use } from './lifetime.ts';
import { pendingUse, releasing } from './handle-call.ts';
import { byParameter } from './rest-parameters.ts';
import { MAX_DEPTH, type Evaluated, type FlowRun } from './run.ts';
import { asResult, execute, leaving } from './statements.ts';
import { reachableFrom } from './reach.ts';
import { popTemp, pushTemp, withInstance, type FlowState } from './state.ts';
import { applyNamed } from './summary.ts';
import { NIL, UNKNOWN, promise, type Value } from './value.ts';

/** Calls a value with arguments; an unknown value has no known effect. */
export function invoke(
  run: FlowRun,
  callee: Value,
  args: readonly Value[],
  state: FlowState,
  node: Node,
): Evaluated[] {
  switch (callee.k) {
    case 'fn': {
      const { fn, self } = callee;
      // Arguments beyond the known ones are unknown, not undefined.
      const all = fn.parameters.map((_, index) => args[index] ?? UNKNOWN);
      const others = fn.parameters.at(-1)?.rest === true ? args.slice(all.length) : [];
      return applyFunction(run, fn, [...all, ...others], self, state, node);
    }
    case 'releaser': {
      let next = state;
      const { name, harmlessAfter } = callee;
      for (const id of callee.ids) {
        const { status, releasedBy } = state.instances.get(id) ?? {};
        const isDone = status === 'released' && harmlessAfter?.has(releasedBy ?? '') === true;
        if (!isDone) next = release(run, next, id, run.place(node), name);
      }
      return [{ state: next, value: UNKNOWN }];
    }
    case 'method': {
      if (callee.target.k !== 'ref') return [{ state, value: UNKNOWN }];
      return releasing(run, state, callee.target.id, callee.name, node, true);
    }
    case 'ref': {
      const instance = state.instances.get(callee.id);
      if (instance === undefined) return [{ state, value: UNKNOWN }];
      if (instance.contract.mustCall) return releasing(run, state, callee.id, '', node, false);
      return [{ state: use(run, state, callee.id, run.place(node)), value: UNKNOWN }];
    }
    default:
      return [{ state, value: UNKNOWN }];
  }
}

/** Whether a function is nested in one that is being walked and sees its variables. */
export function isInnerFunction(run: FlowRun, fn: FunctionNode): boolean {
  for (let each = fn.outer; each !== undefined; each = each.outer) {
    if (run.frames.some((frame) => frame.fn === each)) return true;
  }
  return fn.outer === undefined && run.root.fn === undefined && fn.name === undefined;
}

export function applyFunction(
  run: FlowRun,
  fn: FunctionNode,
  args: readonly Value[],
  self: Value,
  state: FlowState,
  node: Node,
): Evaluated[] {
  if (fn.isGenerator) return [{ state, value: { k: 'generator', fn, args } }];
  // A closure created by another function still sees that function's variables.
  const isAtHome = isInnerFunction(run, fn) || capturedBy(fn).some((each) => state.env.has(each));
  if (!isAtHome && fn.form !== 'arrow') {
    return applyNamed(run, fn, args, self, state, node);
  }
  if (fn.outer === undefined && !isInnerFunction(run, fn)) {
    return applyNamed(run, fn, args, self, state, node);
  }
  return applyBody(run, fn, args, self, state, node);
}

/**
 * A function that is not followed may have any effect on captured handles; one that is too deep to
 * be followed may release them.
 */
function unfollowed(state: FlowState, roots: readonly Value[], isTooDeep: boolean): FlowState {
  let next = state;
  for (const id of reachableFrom(state, roots).instances) {
    next = withInstance(next, id, { isShared: true });
    const isOpen = isTooDeep && state.instances.get(id)?.status === 'live';
    if (isOpen) next = withInstance(next, id, { status: 'escaped' });
  }
  return next;
}

/** Runs a function's body in place. */
export function applyBody(
  run: FlowRun,
  fn: FunctionNode,
  args: readonly Value[],
  self: Value,
  state: FlowState,
  node: Node,
): Evaluated[] {
  const isRecursive = run.frames.some((frame) => frame.fn === fn);
  const isTooDeep = run.frames.length > MAX_DEPTH;
  if (fn.body === undefined || isRecursive || isTooDeep) {
    const next = unfollowed(state, [...args, { k: 'fn', fn, self: UNKNOWN }], isTooDeep);
    return [{ state: next, value: fn.isAsync ? promise(UNKNOWN) : UNKNOWN }];
  }
  const passed = byParameter(run, fn, args, state, node);
  run.frames.push({ fn, file: fn.file, call: node, isRole: run.world.isRole(fn) });
  const inner: FlowState = {
    ...passed.state,
    self: fn.form === 'arrow' ? state.self : self,
    result: UNKNOWN,
  };
  const [[normal, abrupt], late] = usesAfterWaiting(run, state, () =>
    run.catching(() => runBody(run, fn, passed.args, inner)),
  );
  const outs: Evaluated[] = normal.map((each) => leave(run, fn, each, state, UNKNOWN));
  for (const each of abrupt) {
    if (each.kind === 'return') {
      const isAbandoned = fn.isGenerator && each.state.cause !== undefined;
      const out = leave(run, fn, each.state, state, each.state.result);
      // An abandoned inner generator ends the outer one with it.
      if (isAbandoned) run.abrupt('return', { ...out.state, cause: each.state.cause });
      else outs.push(out);
    } else if (each.kind === 'throw') {
      const out = leave(run, fn, each.state, state, UNKNOWN);
      const { cause } = each.state;
      if (fn.isAsync && cause !== undefined) {
        outs.push({ state: out.state, value: promise(UNKNOWN, { rejected: cause }) });
      } else if (cause?.isMisuse === true && !run.isLexical(run.frame)) {
        // As from a function that is applied by its summary: callers are assumed to be correct.
        run.rethrow(out.state, { ...cause, tier: 2 });
      } else run.abrupt('throw', { ...out.state, cause });
    }
  }
  run.frames.pop();
  if (!fn.isAsync) return outs.map((out) => forUse(out, outs));
  return outs.map((out) => stillUsing(run, node, asPromise(out), late));
}

/** A handle that only some paths release, and that is the result: the caller is to use it. */
function forUse(out: Evaluated, outs: readonly Evaluated[]): Evaluated {
  const { state, value } = out;
  if (value.k !== 'ref' || state.instances.get(value.id)?.status !== 'released') return out;
  const isElsewhere = outs.some(
    (each) =>
      each.value.k === 'ref' &&
      each.value.id === value.id &&
      each.state.instances.get(value.id)?.status !== 'released',
  );
  return isElsewhere ? { state: withInstance(state, value.id, { status: 'escaped' }), value } : out;
}

/** The handles of `state` that `body` uses after it has waited, but does not release. */
function usesAfterWaiting<T>(
  run: FlowRun,
  state: FlowState,
  body: () => T,
): [T, ReadonlySet<string>] {
  const before = run.onAccess;
  const { waits } = run;
  const late = new Set<string>();
  run.onAccess = (what, id, place) => {
    before?.(what, id, place);
    if (what === 'release') late.delete(id);
    else if (run.waits > waits && state.instances.has(id)) late.add(id);
  };
  const result = body();
  run.onAccess = before;
  return [result, late];
}

/** Without `await`, the caller shares the handle with the asynchronous function. */
function stillUsing(
  run: FlowRun,
  node: Node,
  out: Evaluated,
  late: ReadonlySet<string>,
): Evaluated {
  let next = out;
  for (const id of late) {
    const instance = next.state.instances.get(id);
    if (instance?.status === 'live' || instance?.status === 'scoped') {
      next = pendingUse(run, node, next, instance);
    }
  }
  return next;
}

function asPromise({ state, value }: Evaluated): Evaluated {
  if (value.k === 'promise') return { state, value };
  return { state, value: promise(value, { mayReject: false }) };
}

/** Binds the parameters and runs the body; an arrow's expression is its result. */
export function runBody(
  run: FlowRun,
  fn: FunctionNode,
  args: readonly Value[],
  state: FlowState,
): FlowState[] {
  let states = [state];
  for (const [index, { target, initializer, rest, isField }] of fn.parameters.entries()) {
    const argument = args[index];
    // `constructor(private readonly task: () => void)`: it is called on demand.
    if (isField && argument?.k === 'fn') {
      states = states.map((each) => escapeValue(run, each, argument, run.place(target)));
    }
    states = states.flatMap((each) => {
      if (rest) return assign(run, target, argument ?? UNKNOWN, each, 'declare');
      if (initializer !== undefined && (argument === undefined || argument.k === 'nil')) {
        return evaluate(run, initializer, each).flatMap((out) =>
          assign(run, target, out.value, out.state, 'declare'),
        );
      }
      return assign(run, target, argument ?? NIL, each, 'declare');
    });
  }
  const { body } = fn;
  if (body === undefined) return states;
  if (body.kind === 'block') return execute(run, body, states);
  for (const each of fold(states)) {
    for (const out of evaluate(run, body, each)) {
      const { value } = out;
      if (value.k === 'promise' && value.rejected !== undefined && fn.isAsync) {
        run.rethrow(out.state, value.rejected);
      } else {
        const { state: after, value: result } = asResult(run, out.state, value);
        run.abrupt('return', leaving(run, { ...after, result }, body));
      }
    }
  }
  return [];
}

/** Leaves a function: ends its variables, except those that its result captures. */
function leave(
  run: FlowRun,
  fn: FunctionNode,
  left: FlowState,
  outer: FlowState,
  value: Value,
): Evaluated {
  const checked = returned(run, left, value);
  const state = isCallback(run, fn) ? checked : withCallOrigin(run, checked, outer, value);
  const held = pushTemp({ ...state, result: outer.result, self: outer.self }, value);
  const gone: Variable[] = [];
  for (const variable of held.env.keys()) if (variable.home === fn) gone.push(variable);
  const next = endVariables(run, { ...held, cause: state.cause }, gone);
  return { state: { ...popTemp(next), cause: outer.cause }, value };
}

/** `xs.map((x) => open(x))`: handles are attributed to the callback's position. */
function isCallback(run: FlowRun, fn: FunctionNode): boolean {
  const { call } = run.frame;
  const isNamed = call?.kind === 'call' && call.callee.kind === 'name' && !call.args.includes(fn);
  return isLexicalIn(run, fn) && !isNamed;
}

/** Whether a function is lexically part of the code around the call. */
function isLexicalIn(run: FlowRun, fn: FunctionNode): boolean {
  for (let each = fn.outer; each !== undefined; each = each.outer) {
    if (each === run.root.fn) return true;
  }
  return fn === run.root.fn;
}

/** Handles that a function returns belong to its caller and are reported at the call. */
function withCallOrigin(run: FlowRun, state: FlowState, outer: FlowState, value: Value): FlowState {
  const call = run.frame.call;
  const below = run.frames.at(-2);
  if (call === undefined || below === undefined) return state;
  // In another function that is only passed through, the origin stays in that function.
  if (below.fn !== undefined && !isLexicalIn(run, below.fn)) return state;
  let next = state;
  for (const id of reachableFrom(state, [value]).instances) {
    const instance = state.instances.get(id);
    if (instance === undefined || !instance.site.isOwn) continue;
    // An earlier round of a loop has created another handle at the same position.
    if (outer.instances.get(id)?.site === instance.site) continue;
    const { start, end } = call;
    const site = { ...instance.site, file: below.file, start, end };
    next = withInstance(next, id, { site });
  }
  return next;
}
