// Executes statements: returns the states of normal completions; abrupt completions go to the sink
// of the run, so that `finally`, `using` and labels handle each kind separately.
import type {
  Block,
  ReturnOrThrow,
  Expression,
  ForEach,
  If,
  Labeled,
  Loop,
  Statement,
  Switch,
  Try,
  VariableStatement,
} from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { assign } from './assign.ts';
import { test } from './conditions.ts';
import { evaluate, evaluateAll } from './expressions.ts';
import { fold } from './fold.ts';
import { throwsMisuse } from './misuse.ts';
import { guarded } from './critical-section.ts';
import { forEachLoop } from './iteration.ts';
import { endVariables, sweep } from './leaks.ts';
import { bound, instanceOf, escape, scopeEnds, use, withoutScope } from './lifetime.ts';
import { withoutCallback } from './optional-callbacks.ts';
import { loopJumps, MAX_ROUNDS, SeenStates } from './rounds.ts';
import { foldAbrupt, type Evaluated, type FlowRun } from './run.ts';
import { bindScoped } from './scoped.ts';
import { withInstance, type FlowState } from './state.ts';
import { exported } from './closures.ts';
import { NIL, UNKNOWN, type Value } from './value.ts';
import { useView, viewsIn } from './views.ts';

/** Runs a statement from each state; returns the states in which it completes normally. */
export function execute(run: FlowRun, node: Statement, states: readonly FlowState[]): FlowState[] {
  if (states.length === 0 || run.isExhausted) return [];
  switch (node.kind) {
    case 'block':
      return block(run, node, states);
    case 'variables':
      return fold(states.flatMap((state) => variables(run, node, state)));
    case 'expression':
      run.statements.add(node.expression);
      return fold(
        evaluateAll(run, node.expression, states).map((out) => dropped(run, out, node.expression)),
      );
    case 'if':
      return branch(run, node, states);
    case 'loop':
      return loop(run, node, states);
    case 'forEach': {
      const label = run.takeLabel();
      return fold(states.flatMap((state) => forEach(run, node, state, label)));
    }
    case 'break':
    case 'continue':
      for (const state of states) run.abrupt(node.kind, state, node.label);
      return [];
    case 'return':
      for (const state of states) returns(run, node, state);
      return [];
    case 'throw':
      for (const state of states) throws(run, node, state);
      return [];
    case 'try':
      return tries(run, node, states);
    case 'switch':
      return switches(run, node, states);
    case 'labeled':
      return labeled(run, node, states);
    case 'declaration':
      return [...states];
  }
}

/** A discarded promise: the handles that it still uses, it may also release. */
function dropped(run: FlowRun, { state, value }: Evaluated, node: Expression): FlowState {
  let next = state;
  if (value.k === 'ref' && isBareConnect(run, node)) {
    next = withInstance(next, value.id, { isShared: true });
  }
  for (const key of value.k === 'promise' ? value.uses : []) {
    const use = state.uses.get(key);
    if (use === undefined || use.isItsMethod) continue;
    next = withInstance(next, use.instance, { isShared: true });
  }
  if (value.k === 'promise' && value.rejected !== undefined) {
    for (const { id, isBound } of state.instances.values()) {
      if (!isBound) next = withInstance(next, id, { isShared: true });
    }
  }
  return sweep(run, next);
}

/** `await this.pool.connect()`: a discarded result means that the pool connects itself. */
function isBareConnect(run: FlowRun, node: Expression): boolean {
  const call = node.kind === 'await' ? node.operand : node;
  if (call.kind !== 'call' || call.callee.kind !== 'member') return false;
  // A known package has a known result.
  const { module } = run.world.target(call, run.frame.file);
  return call.callee.name === 'connect' && module === undefined;
}

function block(run: FlowRun, node: Block, states: readonly FlowState[]): FlowState[] {
  return inScope(run, node.declares, () => sequence(run, node.statements, states));
}

/** Runs statements in order; a `using` declaration starts a scope for the remaining ones. */
export function sequence(
  run: FlowRun,
  statements: readonly Statement[],
  states: readonly FlowState[],
): FlowState[] {
  let current = [...states];
  for (const [index, statement] of statements.entries()) {
    if (current.length === 0) return [];
    const scoped = statement.kind === 'variables' && statement.form.endsWith('using');
    if (scoped) return usingScope(run, statement, statements.slice(index + 1), current);
    current = execute(run, statement, current);
  }
  return current;
}

/** Ends the declared variables on every exit. */
function inScope(
  run: FlowRun,
  declares: readonly Variable[],
  body: () => FlowState[],
): FlowState[] {
  if (declares.length === 0) return body();
  run.scopes.push(declares);
  const [normal, abrupt] = run.catching(body);
  run.scopes.pop();
  for (const { kind, label, state } of abrupt)
    run.abrupt(kind, endVariables(run, state, declares), label);
  return fold(normal.map((state) => endVariables(run, state, declares)));
}

/** `using`: runs the rest of the block, then releases the bound handles in reverse order. */
function usingScope(
  run: FlowRun,
  node: VariableStatement,
  rest: readonly Statement[],
  states: readonly FlowState[],
): FlowState[] {
  let open = [...states];
  const closers: { id: string; node: typeof node }[] = [];
  const first = (index: number): FlowState[] => {
    const declarator = node.declarations[index];
    if (declarator === undefined) return sequence(run, rest, open);
    const outs = open.flatMap((state) => bindScoped(run, declarator, state));
    open = fold(outs.map(({ state }) => state));
    const ids = new Set(outs.flatMap(({ ids: some }) => some));
    closers.push(...[...ids].map((id) => ({ id, node })));
    const [normal, abrupt] = run.catching(() => first(index + 1));
    for (const { kind, label, state } of abrupt) {
      for (const done of close(run, state, ids, node)) run.abrupt(kind, done, label);
    }
    return fold(normal.flatMap((state) => close(run, state, ids, node)));
  };
  return first(0);
}

/** The implicit release at the end of a scope, which may throw too. */
function close(
  run: FlowRun,
  state: FlowState,
  ids: ReadonlySet<string>,
  node: VariableStatement,
): FlowState[] {
  let next = state;
  for (const id of ids) {
    const instance = next.instances.get(id);
    if (instance?.status !== 'scoped') continue;
    next = scopeEnds(run, next, id, run.place(node));
    const mayThrow = instance.contract.release.every(
      (name) => !instance.contract.nothrow.has(name),
    );
    if (mayThrow) run.raise(withoutScope(next), 2, 'the end of the scope may throw', node);
  }
  return [next];
}

function variables(run: FlowRun, node: VariableStatement, state: FlowState): FlowState[] {
  let states = [state];
  for (const { target, initializer } of node.declarations) {
    if (initializer === undefined) {
      if (target.kind === 'name' && node.form !== 'var') {
        states = states.flatMap((each) => assign(run, target, NIL, each, 'declare'));
      }
      continue;
    }
    states = states.flatMap((each) =>
      evaluate(run, initializer, each).flatMap(({ state: after, value }) =>
        assign(run, target, value, after, 'declare'),
      ),
    );
    states = fold(states.map((each) => sweep(run, each)));
  }
  return states;
}

function branch(run: FlowRun, node: If, states: readonly FlowState[]): FlowState[] {
  const then: FlowState[] = [];
  const otherwise: FlowState[] = [];
  for (const state of states) {
    const { yes, no } = test(run, node.test, state);
    then.push(...yes.map((each) => sweep(run, each)));
    const left = node.otherwise ? no : no.map((each) => withoutCallback(node, each));
    otherwise.push(...left.map((each) => sweep(run, each)));
  }
  const done = execute(run, node.then, fold(then));
  const other = fold(otherwise);
  return fold([...done, ...(node.otherwise ? execute(run, node.otherwise, other) : other)]);
}

function loop(run: FlowRun, node: Loop, states: readonly FlowState[]): FlowState[] {
  const label = run.takeLabel();
  return inScope(run, node.declares, () => {
    let heads = node.init === undefined ? [...states] : execute(run, node.init, states);
    const seen = new SeenStates();
    const exits: FlowState[] = [];
    let skipTest = node.form === 'do';
    for (let round = 0; round < MAX_ROUNDS && heads.length > 0; round++) {
      const entered: FlowState[] = [];
      for (const state of skipTest ? heads : seen.added(heads)) {
        if (skipTest || node.test === undefined) entered.push(state);
        else {
          const { yes, no } = test(run, node.test, state);
          entered.push(...yes.map((each) => sweep(run, each)));
          exits.push(...no.map((each) => sweep(run, each)));
        }
      }
      skipTest = false;
      const [normal, abrupt] = run.catching(() => execute(run, node.body, fold(entered)));
      const { again, out } = loopJumps(run, abrupt, label);
      exits.push(...out);
      heads = fold([...normal, ...again]);
      if (node.update !== undefined) {
        heads = evaluateAll(run, node.update, heads).map(({ state }) => sweep(run, state));
      }
    }
    return fold(exits);
  });
}

function forEach(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  label: string | undefined,
): FlowState[] {
  return inScope(run, node.declares, () => forEachLoop(run, node, state, label));
}

/** A labeled statement: loops handle their label, other statements only `break`. */
function labeled(run: FlowRun, node: Labeled, states: readonly FlowState[]): FlowState[] {
  const { label, body } = node;
  if (body.kind === 'loop' || body.kind === 'forEach') {
    run.label = label;
    return execute(run, body, states);
  }
  const [normal, abrupt] = run.catching(() => execute(run, body, states));
  const out = [...normal];
  for (const each of abrupt) {
    if (each.kind === 'break' && each.label === label) out.push(each.state);
    else run.abrupt(each.kind, each.state, each.label);
  }
  return fold(out);
}

function returns(run: FlowRun, node: ReturnOrThrow, state: FlowState): void {
  run.returned = node.value;
  const outs =
    node.value === undefined ? [{ state, value: UNKNOWN }] : evaluate(run, node.value, state);
  for (const { state: after, value } of outs) {
    if (value.k === 'promise' && value.rejected !== undefined) {
      run.rethrow(after, value.rejected);
      continue;
    }
    const result = { state: after, value };
    const used = node.value === undefined ? result : guarded(run, node.value, result);
    const out = asResult(run, used.state, used.value);
    const next = { ...bound(out.state, out.value), result: out.value };
    // A returned handle was owned by the function.
    const returned = instanceOf(out.state, out.value);
    const isOwn = returned?.isGuess === false && !returned.needsProof;
    if (isOwn && run.frames.length === 1) run.released.add(returned.id);
    const left = node.value === undefined ? next : leaving(run, next, node.value);
    const isWay = run.frames.length === 1;
    run.abrupt('return', isWay ? transferReturned(node, { ...left, exit: run.place(node) }) : left);
  }
}

/** `return wrap(handle)`: an unawaited call that takes over a handle. */
function transferReturned({ value }: ReturnOrThrow, state: FlowState): FlowState {
  let next = state;
  for (const each of value?.kind === 'call' ? value.args : []) {
    const variable = each.kind === 'name' ? each.variable : undefined;
    const held = variable && state.env.get(variable);
    const instance = held && instanceOf(state, held);
    if (instance?.isShared && instance.status === 'live') {
      next = withInstance(next, instance.id, { status: 'escaped' });
    }
  }
  return next;
}

/** Prepares a result: a returned closure escapes from the analyzed function. */
export function asResult(
  run: FlowRun,
  state: FlowState,
  value: Value,
): { state: FlowState; value: Value } {
  return run.frames.length === 1 ? exported(run, state, value) : { state, value };
}

/** A returned handle escapes the scopes that would release it. */
export function leaving(
  run: FlowRun,
  state: FlowState,
  node: { start: number; end: number },
): FlowState {
  let next = state;
  for (const view of viewsIn(state, state.result)) {
    const status = state.instances.get(view.id)?.status;
    if (status === 'released') next = useView(run, next, view, run.place(node));
    else if (status === 'scoped') {
      next = withInstance(next, view.id, { leftScope: run.place(node) });
    }
  }
  for (const instance of state.instances.values()) {
    const { id, status } = instance;
    if (status !== 'scoped' && status !== 'released' && status !== 'borrowed') continue;
    if (!directly(state, id)) continue;
    if (status !== 'released') next = escape(run, next, { k: 'ref', id }, run.place(node));
    else if (instance.leftScope !== undefined) next = use(run, next, id, run.place(node));
    else if (!instance.contract.usableAfter && !instance.contract.idempotent) {
      next = run.fault('use-after-release', next, instance, run.place(node), {
        other: instance.at,
      });
    }
  }
  return next;
}

function directly({ result, heap }: FlowState, id: string): boolean {
  if (result.k === 'ref') return result.id === id;
  if (result.k === 'promise') return result.value.k === 'ref' && result.value.id === id;
  const object = result.k === 'obj' ? heap.get(result.id) : undefined;
  if (object === undefined) return false;
  const inside = [...object.props.values(), ...object.rest];
  return inside.some((each) => each.k === 'ref' && each.id === id);
}

function throws(run: FlowRun, node: ReturnOrThrow, state: FlowState): void {
  const outs =
    node.value === undefined ? [{ state, value: UNKNOWN }] : evaluate(run, node.value, state);
  const isMisuse = throwsMisuse(node, run.frame.file);
  for (const out of outs) {
    // What the thrown object holds belongs to the code that catches it.
    const after = escape(run, out.state, out.value, run.place(node));
    run.raise(after, 0, 'throws', node, isMisuse);
  }
}

function tries(run: FlowRun, node: Try, states: readonly FlowState[]): FlowState[] {
  if (node.finalizer === undefined) return handled(run, node, states);
  const [normal, abrupt] = run.catching(() => handled(run, node, states));
  const { finalizer } = node;
  for (const kind of foldAbrupt(abrupt)) {
    // Each completion runs `finally` separately and continues unless that completes abruptly.
    for (const state of execute(run, finalizer, [kind.state])) {
      run.abrupt(kind.kind, state, kind.label);
    }
  }
  return execute(run, finalizer, fold(normal));
}

function handled(run: FlowRun, node: Try, states: readonly FlowState[]): FlowState[] {
  const { handler, parameter } = node;
  if (handler === undefined) return execute(run, node.block, states);
  const before = run.found;
  const [normal, abrupt] = run.catching(() => execute(run, node.block, states));
  const caught: FlowState[] = [];
  for (const each of abrupt) {
    if (each.kind === 'throw') caught.push({ ...each.state, temps: states[0]?.temps ?? [] });
    else run.abrupt(each.kind, each.state, each.label);
  }
  // Temporaries are lost before the exception handler runs.
  const swept = caught.map((state) => ({ ...sweep(run, state), cause: undefined }));
  let entered = fold(swept);
  if (parameter !== undefined) {
    entered = entered.flatMap((state) => assign(run, parameter, UNKNOWN, state, 'declare'));
  }
  run.catches++;
  const [handled, left] = run.catching(() => execute(run, handler, entered));
  run.catches--;
  if (entered.length > 0 && handled.length === 0 && left.length === 0) run.retract(before);
  for (const each of left) run.abrupt(each.kind, each.state, each.label);
  return fold([...normal, ...handled]);
}

function switches(run: FlowRun, node: Switch, states: readonly FlowState[]): FlowState[] {
  return inScope(run, node.declares, () => {
    const [normal, abrupt] = run.catching(() => cases(run, node, states));
    const out = [...normal];
    for (const each of abrupt) {
      if (each.kind === 'break' && each.label === undefined) out.push(each.state);
      else run.abrupt(each.kind, each.state, each.label);
    }
    return fold(out);
  });
}

function cases(run: FlowRun, node: Switch, states: readonly FlowState[]): FlowState[] {
  const entries: FlowState[][] = node.cases.map(() => []);
  let open = evaluateAll(run, node.subject, states).map(({ state }) => state);
  for (const [index, { test: value }] of node.cases.entries()) {
    if (value === undefined) continue;
    const comparison = {
      ...value,
      kind: 'binary',
      operator: '===',
      left: node.subject,
      right: value,
    };
    const rest: FlowState[] = [];
    for (const state of open) {
      const { yes, no } = test(run, comparison as never, state);
      entries[index]!.push(...yes);
      rest.push(...no);
    }
    open = fold(rest);
  }
  const fallback = node.cases.findIndex(({ test: value }) => value === undefined);
  if (fallback >= 0) entries[fallback]!.push(...open);
  let falling: FlowState[] = [];
  for (const [index, { body }] of node.cases.entries()) {
    falling = sequence(run, body, fold([...entries[index]!, ...falling]));
  }
  const isComplete = fallback >= 0 || isExhaustive(run, node);
  return isComplete ? falling : [...falling, ...open];
}

/** Whether the cases are all values that the subject can have. */
function isExhaustive(run: FlowRun, { subject, cases: all }: Switch): boolean {
  const values = run.world.literals(subject, run.frame.file);
  const stated = new Set(all.map(({ test: each }) => each?.kind === 'literal' && each.value));
  return values?.every((value) => stated.has(value)) ?? false;
}
