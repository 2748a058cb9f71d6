// Assignments: to names, to members, and through destructuring.
import { escapeValue } from './closures.ts';
import type { Expression, Pattern } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { isKnownNil } from './conditions.ts';
import { isReleasedBefore, isReleasedElsewhere } from './captured-releases.ts';
import { evaluate } from './expressions.ts';
import { sweep } from './leaks.ts';
import { bound, instanceOf, escape } from './lifetime.ts';
import { readProperty, storeProperty } from './members.ts';
import { overwritesVariable } from './overwrites.ts';
import { splitMany, yielded } from './iteration.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { withInstance, withVariable, type FlowState } from './state.ts';
import { NIL, UNKNOWN, type Value } from './value.ts';
import { storeView } from './views.ts';

export type AssignMode = 'declare' | 'assign';

/** Assigns a value to a pattern. */
export function assign(
  run: FlowRun,
  target: Pattern,
  value: Value,
  state: FlowState,
  mode: AssignMode,
): FlowState[] {
  switch (target.kind) {
    case 'name':
      return [toName(run, target, value, state, mode)];
    case 'member':
      return toMember(run, target, value, state);
    case 'objectPattern':
      return toObject(run, target, value, state, mode);
    case 'arrayPattern':
      return toArray(run, target, value, state, mode);
    default:
      return evaluate(run, target, state).map((out) => out.state);
  }
}

/** Whether a variable outlives every function that this walk is in. */
function isOutside(run: FlowRun, variable: Variable): boolean {
  const { home } = variable;
  if (home === undefined) return run.root.fn !== undefined;
  return !run.frames.some(({ fn }) => fn === home);
}

function toName(
  run: FlowRun,
  target: Extract<Pattern, { kind: 'name' }>,
  value: Value,
  state: FlowState,
  mode: AssignMode,
): FlowState {
  const { variable } = target;
  if (variable === undefined) return escape(run, state, value, run.place(target));
  const named =
    mode === 'assign'
      ? stored(run, state, value, target)
      : bound(heldEarlier(run, state, variable, value), value);
  if (value.k === 'view' && mode === 'assign' && isOutside(run, variable)) {
    return withVariable(storeView(state, value, run.place(target)), variable, value);
  }
  if (mode === 'assign' && isOutside(run, variable)) {
    overwritesVariable(run, target, value, state);
    const before = state.env.get(variable);
    const escaped = escapeValue(run, named, value, run.place(target));
    const next = withVariable(escaped, variable, value);
    return before === undefined ? next : sweep(run, next);
  }
  const free = releasedBefore(run, named, variable, value);
  const held = mode === 'assign' ? shared(run, free, variable, value) : free;
  const next = withVariable(held, variable, value);
  return mode === 'assign' ? sweep(run, next) : next;
}

/**
 * `list.push(wrap(create()))` in a loop: a closure of an earlier call keeps what this variable held
 * then. Which of them releases which is not followed.
 */
function heldEarlier(run: FlowRun, state: FlowState, variable: Variable, value: Value): FlowState {
  const earlier = variable.captured ? state.env.get(variable) : undefined;
  if (earlier?.k !== 'ref' || (value.k === 'ref' && value.id === earlier.id)) return state;
  return escape(run, state, earlier, run.place(variable.home ?? run.root.file.body));
}

/** `const sub = on(() => sub.dispose())`: functions from before it is there may release it. */
function releasedBefore(
  run: FlowRun,
  state: FlowState,
  variable: Variable,
  value: Value,
): FlowState {
  const instance = instanceOf(state, value);
  const isHeld = instance?.status === 'live' || instance?.status === 'idle';
  if (!isHeld || !isReleasedBefore(variable, instance)) return state;
  return escape(run, state, value, instance.site);
}

/** If another function releases the variable too, it is unknown when that function runs. */
function shared(run: FlowRun, state: FlowState, variable: Variable, value: Value): FlowState {
  const instance = instanceOf(state, value);
  if (instance?.status !== 'live' || !isReleasedElsewhere(run, variable, instance)) return state;
  return withInstance(state, instance.id, { isShared: true });
}

/** Records where a handle was stored, in case that outlives its scope. */
export function stored(run: FlowRun, state: FlowState, value: Value, node: Expression): FlowState {
  const instance = instanceOf(state, value);
  if (instance === undefined) return bound(state, value);
  return withInstance(state, instance.id, { isBound: true, stored: run.place(node) });
}

function toMember(
  run: FlowRun,
  target: Extract<Pattern, { kind: 'member' }>,
  value: Value,
  state: FlowState,
): FlowState[] {
  return evaluate(run, target.object, state).flatMap((object) => {
    const outs = target.index === undefined ? [object] : evaluate(run, target.index, object.state);
    return outs.map((out) => {
      const named = stored(run, out.state, value, target);
      return sweep(run, storeProperty(run, named, object.value, target, value));
    });
  });
}

/** The value of an element of a pattern: its own initializer where there is nothing. */
function orInitializer(
  run: FlowRun,
  value: Value,
  initializer: Expression | undefined,
  state: FlowState,
): { state: FlowState; value: Value }[] {
  if (initializer === undefined) return [{ state, value }];
  const instance = instanceOf(state, value);
  if (value.k === 'nil') return evaluate(run, initializer, state);
  if (value.k === 'unknown' || instance?.maybeNull) {
    return [{ state, value }, ...evaluate(run, initializer, state)];
  }
  return [{ state, value }];
}

function toObject(
  run: FlowRun,
  target: Extract<Pattern, { kind: 'objectPattern' }>,
  value: Value,
  state: FlowState,
  mode: AssignMode,
): FlowState[] {
  let states = [state];
  for (const each of target.properties) {
    states = states.flatMap((one) => {
      // The rest element is treated as the same object.
      if (each.rest) return assign(run, each.target, value, one, mode);
      const read =
        each.key === undefined
          ? [{ state: one, value: UNKNOWN }]
          : readProperty(
              run,
              one,
              value,
              each.key,
              each.target.kind === 'name' ? each.target : target,
            );
      return read
        .flatMap((out) => orInitializer(run, out.value, each.initializer, out.state))
        .flatMap((out) => assign(run, each.target, out.value, out.state, mode));
    });
  }
  return states;
}

function toArray(
  run: FlowRun,
  target: Extract<Pattern, { kind: 'arrayPattern' }>,
  value: Value,
  state: FlowState,
  mode: AssignMode,
): FlowState[] {
  let states = [state];
  for (const [index, each] of target.elements.entries()) {
    if (each === undefined) continue;
    states = states.flatMap((one) => {
      if (each.rest) return assign(run, each.target, value, one, mode);
      return elementAt(run, one, value, index, target)
        .flatMap((out) => orInitializer(run, out.value, each.initializer, out.state))
        .flatMap((out) => assign(run, each.target, out.value, out.state, mode));
    });
  }
  return states;
}

/** Takes one element out of a collection of many. */
function elementAt(
  run: FlowRun,
  state: FlowState,
  value: Value,
  index: number,
  target: Pattern,
): Evaluated[] {
  if (value.k === 'generator') return [yielded(run, state, value.fn, target, `[${index}]`)];
  return readProperty(run, state, value, String(index), target).map((out) => {
    const instance = instanceOf(out.state, out.value);
    const isExact = value.k === 'obj' && state.heap.get(value.id)?.props.has(String(index));
    if (!instance?.isMany || isExact) return out;
    const { state: split, part } = splitMany(out.state, instance.id, `[${index}]`);
    return {
      state: withInstance(split, `${instance.id}[${index}]`, { isMany: false }),
      value: part,
    };
  });
}

/** The value of a variable: `undefined` if a test has shown that. */
export function readName(variable: Variable, state: FlowState): Value {
  const value = state.env.get(variable);
  if (value !== undefined) return value;
  if (state.facts.size > 0 && isKnownNil(state, `#${variable.id};`)) return NIL;
  const { initializer, assignments } = variable;
  if (initializer?.kind === 'function' && assignments === 0) {
    return { k: 'fn', fn: initializer, self: UNKNOWN };
  }
  if (initializer?.kind === 'class') return { k: 'class', node: initializer };
  return UNKNOWN;
}
