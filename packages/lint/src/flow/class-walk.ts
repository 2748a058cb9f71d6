// Walks constructors and methods of a class, with `this` as a tracked object.
import type { ClassNode, FunctionNode } from '../syntax/node.ts';
import { evaluate } from './expressions.ts';
import { exported } from './closures.ts';
import { fold } from './fold.ts';
import { leaveLocksHeld } from './locks-on-throw.ts';
import { runBody } from './invoke.ts';
import { endVariables, sweep } from './leaks.ts';
import { bound, escape, returned } from './lifetime.ts';
import { THIS } from './members.ts';
import { parameterValues } from './parameters.ts';
import { MAX_SILENT_STEPS, MAX_STEPS, FlowRun, type Abrupt } from './run.ts';
import { newObject, START, withObject, type FlowState } from './state.ts';
import { UNKNOWN } from './value.ts';
import type { World } from './world.ts';

export interface MethodExit {
  readonly kind: 'return' | 'throw';
  readonly state: FlowState;
}

/** The initial state of a method. */
export function initialState(): FlowState {
  return { ...newObject(START, THIS, 'object', { isOuter: true }), self: { k: 'obj', id: THIS } };
}

/** Walks the field initializers, then the constructor's body. */
export function walkConstructor(world: World, node: ClassNode, isSilent: boolean): MethodExit[] {
  if (!world.createsHandle(node)) return [];
  const fn = node.methods.find(({ form, body }) => form === 'constructor' && body !== undefined);
  const run = walkOf(world, fn, node, isSilent);
  run.owner = node;
  run.isConstructing = true;
  const { state, values } = fn
    ? parameterValues(run, fn, initialState())
    : { state: initialState(), values: [] };
  if (state.instances.size === 0 && !world.holding.in(node)) return [];
  const start = { ...state, temps: values };
  const [normal, abrupt] = run.catching(() => {
    if (fn === undefined) return initialized(run, node, [start]);
    const ready = (each: FlowState): FlowState => fieldParameters(fn, values, each);
    if (node.heritage.length > 0) {
      run.initialize = (state) => initialized(run, node, [state]).map(ready);
      return runBody(run, fn, values, start);
    }
    return initialized(run, node, [start]).flatMap((each) => runBody(run, fn, values, ready(each)));
  });
  const exits = endFunction(run, normal, abrupt);
  run.finish();
  return exits;
}

function walkOf(
  world: World,
  fn: FunctionNode | undefined,
  { file }: ClassNode,
  isSilent: boolean,
): FlowRun {
  const frame = { fn, file, call: undefined, isRole: false };
  const run = new FlowRun(world, frame, false, isSilent ? MAX_SILENT_STEPS : MAX_STEPS);
  if (isSilent) run.silenced = 1;
  return run;
}

function initialized(run: FlowRun, node: ClassNode, states: readonly FlowState[]): FlowState[] {
  let current = [...states];
  for (const { name, isStatic, initializer } of node.fields) {
    if (isStatic || initializer === undefined || name === undefined) continue;
    current = fold(
      current.flatMap((state) =>
        evaluate(run, initializer, state).map((out) => {
          const props = new Map(out.state.heap.get(THIS)?.props).set(name, out.value);
          return sweep(run, bound(withObject(out.state, THIS, { props }), out.value));
        }),
      ),
    );
  }
  return current;
}

/** `constructor(private h: Handle)` stores its parameter. */
function fieldParameters(
  fn: FunctionNode,
  values: FlowState['temps'],
  state: FlowState,
): FlowState {
  const props = new Map(state.heap.get(THIS)?.props);
  for (const [index, { isField, target }] of fn.parameters.entries()) {
    const value = values[index];
    if (isField && target.kind === 'name' && value !== undefined) props.set(target.text, value);
  }
  return withObject(state, THIS, { props });
}

/** Walks one method; `undefined` if the walk hits its bound. */
export function methodExits(
  world: World,
  node: ClassNode,
  method: FunctionNode,
  isShallow = false,
): MethodExit[] | undefined {
  const run = walkOf(world, method, node, true);
  run.isShallow = isShallow;
  const { state, values } = parameterValues(run, method, initialState());
  const [normal, abrupt] = run.catching(() =>
    runBody(run, method, values, { ...state, temps: values }),
  );
  const exits = endFunction(run, normal, abrupt);
  run.finish();
  if (!run.wasExhausted) return exits;
  return isShallow ? undefined : methodExits(world, node, method, true);
}

/** Ends a function: reports every live handle that is no longer reachable. */
export function endFunction(
  run: FlowRun,
  normal: readonly FlowState[],
  abrupt: readonly Abrupt[],
): MethodExit[] {
  const exits: MethodExit[] = normal.map((state) => ({ kind: 'return', state: ended(run, state) }));
  for (const { kind, state } of abrupt) {
    if (kind === 'throw') exits.push({ kind: 'throw', state: discardObject(run, state) });
    else exits.push({ kind: 'return', state: ended(run, state) });
  }
  return exits;
}

function ended(run: FlowRun, before: FlowState): FlowState {
  const state = returned(run, before, before.result);
  const out = exported(run, state, state.result);
  const self = { k: 'obj', id: THIS } as const;
  let next: FlowState = { ...out.state, result: out.value };
  const place = run.frame.fn ?? run.frame.file.body;
  next = escape(run, next, out.value, run.place(place));
  if (run.isConstructing) next = escape(run, next, self, run.place(place));
  next = leaveLocksHeld(run, next);
  const left = endVariables(run, { ...sweep(run, next), temps: [] }, [...next.env.keys()]);
  return sweep(run, left, true);
}

/** An object whose constructor throws is unreachable, with all its fields. */
function discardObject(run: FlowRun, state: FlowState): FlowState {
  const self = run.isConstructing ? UNKNOWN : state.self;
  const lost = { ...state, self, result: UNKNOWN, temps: [] };
  const killed = endVariables(run, lost, [...lost.env.keys()]);
  return sweep(run, killed, true);
}
