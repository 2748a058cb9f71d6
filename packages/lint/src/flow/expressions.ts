// Evaluates expressions: returns the possible states with the value in each.
import type {
  Assign,
  Await,
  Conditional,
  Expression,
  FunctionNode,
  Logical,
  MemberExpression,
  OpaqueNode,
  ObjectLiteral,
  Unary,
  Yield,
  ArrayLiteral,
} from '../syntax/node.ts';
import { calledName } from '../syntax/called-name.ts';
import { assign, readName } from './assign.ts';
import { MAY_BE_ABANDONED } from './cause.ts';
import { awaited } from './promises.ts';
import { callExpression } from './calls.ts';
import { byNull, compare, factKey, isKnownNil, test } from './conditions.ts';
import { fold, foldOuts, foldTemps } from './fold.ts';
import { recordHandler } from './handlers.ts';
import { sweep } from './leaks.ts';
import { idAt, escape } from './lifetime.ts';
import { invoke } from './invoke.ts';
import { readProperty, storeProperty, THIS } from './members.ts';
import { leaving } from './statements.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { newObject, popTemp, pushTemp, withEntry, type FlowState } from './state.ts';
import { NIL, UNKNOWN, constant, type Value } from './value.ts';
import { isTemplate, textWith } from './text.ts';
import { yieldStar } from './generators.ts';

/** Evaluates an expression; a short-circuited optional chain yields `undefined`. */
export function evaluate(run: FlowRun, node: Expression, state: FlowState): Evaluated[] {
  const outs = chain(run, node, state);
  if (!outs.some(({ short }) => short)) return foldOuts(outs);
  return foldOuts(outs.map((out) => (out.short ? { state: out.state, value: NIL } : out)));
}

export function evaluateAll(
  run: FlowRun,
  node: Expression,
  states: readonly FlowState[],
): Evaluated[] {
  return states.flatMap((state) => evaluate(run, node, state));
}

/** Evaluates expressions in order, keeping earlier values as temporaries. */
export function evaluateList(
  run: FlowRun,
  nodes: readonly (Expression | undefined)[],
  state: FlowState,
): { state: FlowState; values: Value[] }[] {
  if (nodes.length === 0) return [{ state, values: [] }];
  let states = [state];
  for (const node of nodes) {
    const next = states.flatMap((each) => {
      if (node === undefined) return [pushTemp(each, NIL)];
      const inner = node.kind === 'spread' ? node.operand : node;
      return evaluate(run, inner, each).map((out) => pushTemp(out.state, out.value));
    });
    states = foldTemps(next);
  }
  return states.map((each) => popTemps(each, nodes.length));
}

/** The last temporaries of a state, and the state without them: they may have new names by now. */
export function popTemps(state: FlowState, count: number): { state: FlowState; values: Value[] } {
  const at = state.temps.length - count;
  return { state: { ...state, temps: state.temps.slice(0, at) }, values: state.temps.slice(at) };
}

/** As `evaluate`, with short-circuited chains marked. */
export function chain(run: FlowRun, node: Expression, state: FlowState): Evaluated[] {
  if (run.isExhausted) return [];
  switch (node.kind) {
    case 'name':
      if (node.variable === undefined) return [{ state, value: UNKNOWN }];
      if (node.variable.home === undefined) run.variablesRead.add(node.variable);
      return [{ state, value: readName(node.variable, state) }];
    case 'literal': {
      const { value } = node;
      return [{ state, value: value === undefined || value === null ? NIL : constant(value) }];
    }
    case 'member':
      return member(run, node, state);
    case 'call':
      return callExpression(run, node, state);
    case 'object':
      return objectLiteral(run, node, state);
    case 'array':
      return arrayLiteral(run, node, state);
    case 'spread':
      return evaluate(run, node.operand, state);
    case 'await':
      return awaitExpression(run, node, state);
    case 'yield':
      return yieldExpression(run, node, state);
    case 'unary':
      return unary(run, node, state);
    case 'binary':
      return compare(run, node, state);
    case 'logical':
      return logical(run, node, state);
    case 'assign':
      return assignment(run, node, state);
    case 'conditional':
      return conditional(run, node, state);
    case 'parts':
      return parts(run, node, state);
    case 'this':
    case 'super':
      return [{ state, value: state.self }];
    case 'function':
      return [
        { state, value: { k: 'fn', fn: node, self: node.form === 'arrow' ? state.self : UNKNOWN } },
      ];
    case 'class':
      return [{ state, value: { k: 'class', node } }];
  }
}

function parts(run: FlowRun, node: OpaqueNode, state: FlowState): Evaluated[] {
  const { parts: nodes, sequence } = node;
  if (!sequence) {
    const isText = isTemplate(run.frame.file.text, node);
    return evaluateList(run, nodes, state).map(({ state: after, values }) => ({
      state: after,
      value: isText ? textWith(after, values) : UNKNOWN,
    }));
  }
  let outs: Evaluated[] = [{ state, value: UNKNOWN }];
  for (const each of nodes) {
    outs = outs.flatMap((out) => evaluate(run, each, sweep(run, out.state)));
  }
  return outs;
}

/** The object of a member or a callee, split where `?.` ends the chain. */
export function chainObject(
  run: FlowRun,
  node: Expression,
  optional: boolean,
  state: FlowState,
): { there: Evaluated[]; ended: Evaluated[] } {
  const there: Evaluated[] = [];
  const ended: Evaluated[] = [];
  for (const out of chain(run, node, state)) {
    if (out.short) ended.push(out);
    else if (!optional) there.push(out);
    else {
      const split = byNull(out, node);
      there.push(...split.there);
      ended.push(...split.nothing.map((each) => ({ ...each, short: true as const })));
    }
  }
  return { there, ended };
}

function member(run: FlowRun, node: MemberExpression, state: FlowState): Evaluated[] {
  const { there, ended } = chainObject(run, node.object, node.optional, state);
  const outs = there.flatMap((out) => {
    if (node.name !== undefined) return namedMember(run, node, node.name, out);
    if (node.index === undefined) return [{ state: out.state, value: UNKNOWN }];
    return evaluate(run, node.index, out.state).flatMap((index) => {
      if (index.value.k === 'const') {
        return readProperty(run, index.state, out.value, String(index.value.value), node);
      }
      return readProperty(run, index.state, out.value, '0', node).map(asPart);
    });
  });
  return [...outs, ...ended.map((out) => withoutValue(out, node))];
}

/** `options?.connection` of no options: like options without it. */
function withoutValue(out: Evaluated, node: MemberExpression): Evaluated {
  const key = factKey(node);
  if (key === undefined || out.state.facts.has(key)) return out;
  return { ...out, state: { ...out.state, facts: withEntry(out.state.facts, key, false) } };
}

function namedMember(
  run: FlowRun,
  node: MemberExpression,
  name: string,
  out: Evaluated,
): Evaluated[] {
  const getter = getterOf(run, out, name);
  if (getter !== undefined) {
    const outs = invoke(run, { k: 'fn', fn: getter, self: out.value }, [], out.state, node);
    // What a getter gives, its object has.
    return outs.map((each) => ({
      ...each,
      state: escape(run, each.state, each.value, run.place(node)),
    }));
  }
  return readProperty(run, out.state, out.value, name, node).map((read) => {
    if (read.value.k !== 'unknown' || read.state.facts.size === 0) return read;
    const keys = [factKey(node), factKey(node.object)].filter((key) => key !== undefined);
    // Reading a property of a known null value ends here.
    const isNil = keys.some((key) => isKnownNil(read.state, key));
    return isNil ? { state: read.state, value: NIL } : read;
  });
}

/** `this.channel`, where the class has a getter of that name. */
function getterOf(
  run: FlowRun,
  { state, value }: Evaluated,
  name: string,
): FunctionNode | undefined {
  if (value.k !== 'obj' || value.id !== THIS) return undefined;
  if (state.heap.get(THIS)?.props.has(name) === true) return undefined;
  return run.owner?.methods.find((method) => method.form === 'getter' && method.name === name);
}

/** The element depends on the index. */
function asPart(out: Evaluated): Evaluated {
  return out.value.k === 'ref' ? { ...out, value: { ...out.value, isPart: true } } : out;
}

function objectLiteral(run: FlowRun, node: ObjectLiteral, state: FlowState): Evaluated[] {
  const values = node.properties.map(({ value }) => value);
  const id = idAt(run, node);
  return evaluateList(run, values, state).map((row) => {
    const props = new Map<string, Value>();
    const rest: Value[] = [];
    for (const [index, { form, key }] of node.properties.entries()) {
      const value = row.values[index]!;
      if (form === 'spread') spreadInto(row.state, value, props, rest);
      else if (form === 'get' || form === 'set') continue;
      else if (key !== undefined) props.set(key, value);
      else if (value.k !== 'unknown') rest.push(value);
    }
    return { state: newObject(row.state, id, 'object', { props, rest }), value: { k: 'obj', id } };
  });
}

function spreadInto(
  state: FlowState,
  value: Value,
  props: Map<string, Value>,
  rest: Value[],
): void {
  const object = value.k === 'obj' ? state.heap.get(value.id) : undefined;
  if (object === undefined) {
    if (value.k === 'ref') rest.push(value);
    return;
  }
  for (const [name, each] of object.props) props.set(name, each);
  rest.push(...object.rest);
}

function arrayLiteral(run: FlowRun, node: ArrayLiteral, state: FlowState): Evaluated[] {
  const id = idAt(run, node);
  return evaluateList(run, node.elements, state).map((row) => {
    const props = new Map<string, Value>();
    const rest: Value[] = [];
    let hasSpread = false;
    let isExact = true;
    for (const [index, element] of node.elements.entries()) {
      const value = row.values[index]!;
      if (element?.kind === 'spread') {
        hasSpread = true;
        const spread = value.k === 'obj' ? row.state.heap.get(value.id) : undefined;
        isExact &&= spread?.isExact === true;
        if (spread) rest.push(...spread.props.values(), ...spread.rest);
        else if (value.k !== 'unknown') rest.push(value);
      } else if (!hasSpread) props.set(String(index), value);
      else if (value.k !== 'unknown') rest.push(value);
      else isExact = false;
    }
    const parts = { props, rest, isExact };
    return { state: newObject(row.state, id, 'array', parts), value: { k: 'obj', id } };
  });
}

function awaitExpression(run: FlowRun, node: Await, state: FlowState): Evaluated[] {
  if (neverSettles(node.operand)) return [];
  return evaluate(run, node.operand, state).flatMap((out) => awaited(run, node, out));
}

/** `await new Promise(() => {})`: the function waits for the end of its process. */
function neverSettles(node: Expression): boolean {
  if (node.kind !== 'call' || !node.isNew || calledName(node) !== 'Promise') return false;
  const [executor] = node.args;
  if (executor?.kind !== 'function' || executor.body?.kind !== 'block') return false;
  return executor.parameters.length === 0 && executor.body.statements.length === 0;
}

function yieldExpression(run: FlowRun, node: Yield, state: FlowState): Evaluated[] {
  const outs =
    node.operand === undefined ? [{ state, value: UNKNOWN }] : evaluate(run, node.operand, state);
  if (node.delegate) return outs.flatMap((out) => yieldStar(run, node, out));
  return outs.map((out) => {
    const at = node.operand ?? node;
    run.onYield?.(out.state, out.value);
    const returned = leaving(run, { ...out.state, result: out.value }, at);
    const escaped = escape(run, { ...returned, result: state.result }, out.value, run.place(at));
    abandon(run, node, escaped);
    return { state: escaped, value: UNKNOWN };
  });
}

/** A generator may be abandoned at a `yield`: control leaves through `finally`. */
export function abandon(run: FlowRun, node: Yield, state: FlowState): void {
  if (run.frame.isRole) return;
  const { file } = run.frame;
  const cause = { ...MAY_BE_ABANDONED, start: node.start, file };
  run.abrupt('return', { ...state, cause, result: UNKNOWN });
}

function unary(run: FlowRun, node: Unary, state: FlowState): Evaluated[] {
  if (node.operator === '!') {
    const { yes, no } = test(run, node.operand, state);
    if (yes.length === 1 && no.length === 1 && isUndecided(yes[0]!, no[0]!, state)) {
      const [out] = evaluate(run, node.operand, state);
      if (out?.value.k === 'cond') return [{ state, value: { ...out.value, not: !out.value.not } }];
      if (out?.value.k === 'unknown') return [{ state: out.state, value: UNKNOWN }];
    }
    return [
      ...fold(yes).map((each) => ({ state: each, value: constant(false) })),
      ...fold(no).map((each) => ({ state: each, value: constant(true) })),
    ];
  }
  const outs = evaluate(run, node.operand, state);
  if (node.operator === 'impossible') return [];
  if (node.operator === 'delete' && node.operand.kind === 'member') {
    const { operand } = node;
    return evaluate(run, operand.object, state).map((object) => {
      const cleared = storeProperty(run, object.state, object.value, operand, NIL);
      return { state: sweep(run, cleared), value: UNKNOWN };
    });
  }
  if (node.operator === 'update' && node.operand.kind === 'name') {
    return outs.flatMap((out) =>
      assign(run, node.operand, UNKNOWN, out.state, 'assign').map((each) => ({
        state: each,
        value: UNKNOWN,
      })),
    );
  }
  return outs.map((out) => ({ state: out.state, value: UNKNOWN }));
}

/** Whether both outcomes have the same state, so that splitting is useless. */
function isUndecided(yes: FlowState, no: FlowState, before: FlowState): boolean {
  return yes.instances === before.instances && no.instances === before.instances;
}

function logical(run: FlowRun, node: Logical, state: FlowState): Evaluated[] {
  if (node.operator === '??') {
    return evaluate(run, node.left, state).flatMap((out) => {
      const { there, nothing } = byNull(out, node.left);
      return [...there, ...nothing.flatMap((each) => evaluate(run, node.right, each.state))];
    });
  }
  const outs: Evaluated[] = [];
  for (const left of evaluate(run, node.left, state)) {
    const { yes, no } = decide(run, node.left, left);
    const open = node.operator === '&&' ? yes : no;
    const closed = node.operator === '&&' ? no : yes;
    for (const each of open) outs.push(...evaluate(run, node.right, each));
    for (const each of closed) outs.push({ state: each, value: decidingValue(left.value, node) });
  }
  return outs;
}

/** The value of a left operand that decides the result: falsy for `&&`. */
function decidingValue(value: Value, node: Logical): Value {
  // A decided condition stays decided, whatever its variables become.
  if (value.k === 'cond') return constant(node.operator === '||');
  return node.operator === '&&' && value.k === 'ref' ? NIL : value;
}

function decide(
  run: FlowRun,
  node: Expression,
  left: Evaluated,
): { yes: FlowState[]; no: FlowState[] } {
  if (left.value.k === 'ref') {
    const { there, nothing } = byNull(left, node);
    return { yes: there.map((o) => o.state), no: nothing.map((o) => o.state) };
  }
  // Evaluated a second time only to split the states; findings are not repeated.
  if (left.value.k === 'cond' || left.value.k === 'unknown') {
    return run.silently(() => test(run, withoutCalls(node), left.state));
  }
  const isTrue = left.value.k !== 'nil' && !(left.value.k === 'const' && !left.value.value);
  return isTrue ? { yes: [left.state], no: [] } : { yes: [], no: [left.state] };
}

/** A test that calls something must not call it again. */
function withoutCalls(node: Expression): Expression {
  return factKey(node) !== undefined
    ? node
    : { kind: 'parts', start: node.start, end: node.end, parts: [], sequence: false };
}

function assignment(run: FlowRun, node: Assign, state: FlowState): Evaluated[] {
  const { operator, target, value } = node;
  if (operator === 'compound') {
    return evaluate(run, value, state).flatMap((out) =>
      assign(run, target, UNKNOWN, out.state, 'assign').map((each) => ({
        state: each,
        value: UNKNOWN,
      })),
    );
  }
  if (operator === '=') {
    return evaluate(run, value, state).flatMap((out) => assigned(run, node, out));
  }
  const left = target as Expression;
  return evaluate(run, left, state).flatMap((out) => {
    const { there, nothing } = byNull(out, left);
    const [assigns, keeps] = operator === '&&' ? [there, nothing] : [nothing, there];
    const done = assigns.flatMap((each) =>
      evaluate(run, value, each.state).flatMap((right) => assigned(run, node, right)),
    );
    return [...keeps, ...done];
  });
}

function assigned(run: FlowRun, node: Assign, out: Evaluated): Evaluated[] {
  const { target, value } = node;
  const event = target.kind === 'member' ? /^on(\w+)$/.exec(target.name ?? '')?.[1] : undefined;
  if (target.kind === 'member' && event !== undefined) {
    recordHandler(run, out.state, target.object, event, value, out.value);
  }
  const held = pushTemp(out.state, out.value);
  return assign(run, node.target, out.value, held, 'assign').map((each) => ({
    state: popTemp(each),
    value: out.value,
  }));
}

function conditional(run: FlowRun, node: Conditional, state: FlowState): Evaluated[] {
  const { yes, no } = test(run, node.test, state);
  return [
    ...fold(yes).flatMap((each) => evaluate(run, node.then, each)),
    ...fold(no).flatMap((each) => evaluate(run, node.otherwise, each)),
  ];
}
