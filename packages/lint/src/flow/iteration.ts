// `for … of` and callbacks of arrays: one round stands for all equally treated elements.
import type { ForEach, FunctionNode, Node } from '../syntax/node.ts';
import { assign } from './assign.ts';
import { evaluate } from './expressions.ts';
import { fold } from './fold.ts';
import { sweep } from './leaks.ts';
import { create, idAt, instanceOf, release, scopeEnds, without } from './lifetime.ts';
import { awaited } from './promises.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { loopJumps, SeenStates, MAX_ROUNDS } from './rounds.ts';
import { execute } from './statements.ts';
import { isEmptyCollection, newObject, pushTemp, withInstance, withObject } from './state.ts';
import type { FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

export function forEachLoop(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  label: string | undefined,
): FlowState[] {
  return fold(
    evaluate(run, node.subject, state).flatMap((evaluated) => {
      const out = withoutDrained(run, node, evaluated);
      const elements = node.form === 'of' ? elementsOf(out.state, out.value) : undefined;
      const isMap = out.value.k === 'obj' && out.state.heap.get(out.value.id)?.kind === 'map';
      if (elements !== undefined) {
        // The elements of later rounds are not lost, unless the loop is left.
        const before = pushTemp(out.state, out.value);
        const after = each(run, node, before, elements, isMap, label);
        return after.map((one) => sweep(run, { ...one, temps: out.state.temps }));
      }
      if (iterates(out)) return overHandle(run, node, out, label);
      const held = { ...out.state, temps: [...out.state.temps, out.value] };
      const after = rounds(run, node, held, out.value, label);
      return after.map((one) => sweep(run, { ...one, temps: one.temps.slice(0, -1) }));
    }),
  );
}

/** `for await (const line of lines(reader))`: the iterator reads to the end. */
function withoutDrained(run: FlowRun, { isAwait, subject }: ForEach, out: Evaluated): Evaluated {
  if (!isAwait || subject.kind !== 'call') return out;
  let { state } = out;
  for (const argument of subject.args) {
    if (argument.kind !== 'name' && argument.kind !== 'member') continue;
    for (const { value } of evaluate(run, argument, out.state)) {
      const instance = instanceOf(state, value);
      if (instance?.contract.drains === undefined || instance.status === 'released') continue;
      state = without(state, instance.id);
    }
  }
  return { ...out, state };
}

function iterates({ state, value }: Evaluated): boolean {
  return value.k === 'ref' && state.instances.get(value.id)?.contract.iterates === true;
}

/** A handle that is iterated over is released on every exit of the loop. */
function overHandle(
  run: FlowRun,
  node: ForEach,
  out: Evaluated,
  label: string | undefined,
): FlowState[] {
  const { state, value } = out;
  const id = value.k === 'ref' ? value.id : '';
  const end = (one: FlowState): FlowState =>
    release(run, { ...one, temps: state.temps }, id, run.place(node.subject));
  const held = pushTemp(state, value);
  const [normal, abrupt] = run.catching(() => rounds(run, node, held, value, label));
  for (const { kind, label: to, state: after } of abrupt) run.abrupt(kind, end(after), to);
  return normal.map(end);
}

/** The contents of a collection that contains handles. */
function elementsOf(state: FlowState, value: Value): readonly Value[] | undefined {
  const object = value.k === 'obj' ? state.heap.get(value.id) : undefined;
  if (object === undefined || object.kind === 'object') return undefined;
  if (isEmptyCollection(object)) return [];
  const inside = [...object.props.values(), ...object.rest];
  return inside.some((one) => one.k !== 'unknown' && one.k !== 'const') ? inside : undefined;
}

/** One round for each distinct element; an element may stand for any number of them. */
function each(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  elements: readonly Value[],
  isMap: boolean,
  label: string | undefined,
): FlowState[] {
  let current = [state];
  const out: FlowState[] = [];
  for (const element of elements) {
    const [normal, abrupt] = run.catching(() =>
      fold(
        current.flatMap((one) => {
          const entry = asEntry(run, node, one, element, isMap);
          return oneRound(run, node, entry.state, entry.value);
        }),
      ),
    );
    const { again, out: left } = loopJumps(run, abrupt, label);
    out.push(...left);
    current = fold([...normal, ...again]);
  }
  return fold([...current, ...out]);
}

/** With `using`, an element is released at the end of its round. */
function oneRound(run: FlowRun, node: ForEach, state: FlowState, element: Value): FlowState[] {
  const entered = bindElement(run, node, state, element);
  const isScoped = node.binding.kind === 'variables' && node.binding.form.endsWith('using');
  if (!isScoped || element.k !== 'ref') return execute(run, node.body, entered);
  const end = (one: FlowState): FlowState =>
    scopeEnds(run, one, element.id, run.place(node.binding));
  const scoped = entered.map((one) => withInstance(one, element.id, { status: 'scoped' }));
  const [normal, abrupt] = run.catching(() => execute(run, node.body, scoped));
  for (const { kind, label, state: after } of abrupt) run.abrupt(kind, end(after), label);
  return normal.map(end);
}

/** Iterating over a map gives pairs. */
function asEntry(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  value: Value,
  isMap: boolean,
): Evaluated {
  if (!isMap) return { state, value };
  const id = `${idAt(run, node.subject)}entry`;
  const props = new Map([['1', value]]);
  return { state: newObject(state, id, 'array', { props }), value: { k: 'obj', id } };
}

function bindElement(run: FlowRun, node: ForEach, state: FlowState, element: Value): FlowState[] {
  const outs = node.isAwait
    ? awaited(run, node, { state, value: element })
    : [{ state, value: element }];
  return outs.flatMap((one) => bindTo(run, node, one.state, one.value));
}

function bindTo(run: FlowRun, { binding }: ForEach, state: FlowState, value: Value): FlowState[] {
  if (binding.kind !== 'variables') return assign(run, binding, value, state, 'assign');
  const [declarator] = binding.declarations;
  if (declarator === undefined) return [state];
  return assign(run, declarator.target, value, state, 'declare');
}

/** Rounds over unknown elements until no new state appears. */
function rounds(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  subject: Value,
  label: string | undefined,
): FlowState[] {
  const seen = new SeenStates();
  const exits: FlowState[] = [];
  let heads = [state];
  for (let round = 0; round < MAX_ROUNDS && heads.length > 0; round++) {
    const fresh = seen.added(heads);
    exits.push(...fresh);
    const borrowed = new Set<string>();
    const [normal, abrupt] = run.catching(() => {
      const entered = fresh.flatMap((one) => {
        if (node.isAwait) run.raise(one, 1, 'may be rejected', node.subject);
        const element = elementOf(run, node, one, subject);
        const { value } = element;
        const status = value.k === 'ref' && element.state.instances.get(value.id)?.status;
        if (value.k === 'ref' && status === 'borrowed') borrowed.add(value.id);
        return bindTo(run, node, element.state, element.value);
      });
      return execute(run, node.body, fold(entered));
    });
    const { again, out } = loopJumps(run, abrupt, label);
    const end = (one: FlowState): FlowState => endRound(run, node, one, borrowed);
    exits.push(...out.map(end));
    heads = fold([...normal, ...again].map(end));
  }
  return fold(exits);
}

/** A generator releases the handle that it has yielded, when the next round starts. */
function endRound(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  borrowed: ReadonlySet<string>,
): FlowState {
  let next = state;
  for (const id of borrowed) {
    if (next.instances.get(id)?.status !== 'borrowed') continue;
    next = withInstance(next, id, { status: 'released', at: run.place(node.subject) });
  }
  return next;
}

/** A generator that yields handles yields a new one each round. */
function elementOf(
  run: FlowRun,
  node: ForEach,
  state: FlowState,
  subject: Value,
): { state: FlowState; value: Value } {
  return subject.k === 'generator'
    ? yielded(run, state, subject.fn, node.subject)
    : { state, value: UNKNOWN };
}

/** A handle that a generator yields. */
export function yielded(
  run: FlowRun,
  state: FlowState,
  fn: FunctionNode,
  node: Node,
  suffix = '',
): Evaluated {
  const handle = run.world.summaries.yields(fn);
  if (handle === undefined) return { state, value: UNKNOWN };
  const { contract, isBorrowed } = handle;
  return create(run, state, node, { contract, status: isBorrowed ? 'borrowed' : 'live' }, suffix);
}

/** Splits an instance that stands for many into the processed and the remaining ones. */
export function splitMany(
  state: FlowState,
  id: string,
  suffix: string,
): { state: FlowState; part: Value } {
  const whole = state.instances.get(id)!;
  const part = id + suffix;
  const instances = new Map(state.instances);
  const known = instances.get(part);
  instances.set(part, {
    ...whole,
    id: part,
    status: known?.status === 'live' ? 'escaped' : whole.status,
  });
  return { state: { ...state, instances }, part: { k: 'ref', id: part } };
}

/** An empty collection: removes the handles that stood for its elements, or were inside them. */
export function emptied(state: FlowState, id: string): FlowState {
  const object = state.heap.get(id);
  if (object === undefined) return state;
  const instances = new Map(state.instances);
  for (const inside of reachableFrom(state, object.rest).instances) {
    if (instances.get(inside)?.isMany) instances.delete(inside);
  }
  return withObject({ ...state, instances }, id, { rest: [], props: new Map(), isExact: true });
}
