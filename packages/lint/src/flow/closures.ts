// Escaping closures: their effects on captured handles when they are called.
import type { FunctionNode } from '../syntax/node.ts';
import { applyBody, isInnerFunction } from './invoke.ts';
import { capturedBy } from './captures.ts';
import type { LeakCause } from './cause.ts';
import { instanceOf, escape, move } from './lifetime.ts';
import { THIS } from './members.ts';
import { closureName, harmlessAfter, type Closure } from './repeated-release.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import { isEmptyCollection, withInstance, withObject } from './state.ts';
import type { FlowState, Instance, SourceRange } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

/** When an escaping closure is called: `once` is later, and certainly. */
export type ClosureTime = 'once' | 'later' | 'unknown';

interface ClosureEffects {
  readonly releases: ReadonlyMap<string, SourceRange>;
  /** The handles that every path through it releases. */
  readonly always: ReadonlySet<string>;
  readonly uses: ReadonlyMap<string, readonly SourceRange[]>;
  readonly mayThrow: boolean;
  /** Handles that it releases on success and leaks on failure, with the cause. */
  readonly losses: ReadonlyMap<string, LeakCause>;
}

/** Walks a closure to compute its effects, without changing the state. */
export function effectsOf(
  run: FlowRun,
  state: FlowState,
  value: Extract<Value, { k: 'fn' }>,
): ClosureEffects {
  const releases = new Map<string, SourceRange>();
  const uses = new Map<string, SourceRange[]>();
  const before = run.onAccess;
  run.onAccess = (what, id, place) => {
    before?.(what, id, place);
    if (!state.instances.has(id)) return;
    if (what === 'release') {
      if (!releases.has(id)) releases.set(id, place);
    } else uses.set(id, [...(uses.get(id) ?? []), place]);
  };
  const { fn, self } = value;
  const [outs, abrupt] = run.silently(() =>
    run.catching(() => {
      const all = applyBody(
        run,
        fn,
        fn.parameters.map(() => UNKNOWN),
        self,
        { ...state, cause: undefined, faults: [] },
        fn,
      );
      for (const { state: after, value: answer } of all) {
        // The result belongs to the caller.
        const answered = reachableFrom(after, [answer]).instances;
        for (const [id, { status }] of after.instances) {
          const changed = status !== state.instances.get(id)?.status;
          if (!state.instances.has(id) || releases.has(id)) continue;
          if ((changed && (status === 'moved' || status === 'escaped')) || answered.has(id)) {
            releases.set(id, { file: fn.file, start: fn.start, end: fn.end });
          }
        }
      }
      return all;
    }),
  );
  run.onAccess = before;
  const mayThrow = abrupt.some(({ kind }) => kind === 'throw');
  const thrown = abrupt.flatMap(({ kind, state: after }) => (kind === 'throw' ? [after] : []));
  const ids = [...releases.keys()];
  const always = new Set(
    ids.filter((id) => outs.every((out) => out.state.instances.get(id)?.status === 'released')),
  );
  return { releases, always, uses, mayThrow, losses: lossesOf(state, ids, outs, thrown) };
}

/** Handles that every normal path releases and an exceptional path does not. */
function lossesOf(
  before: FlowState,
  ids: readonly string[],
  outs: readonly Evaluated[],
  thrown: readonly FlowState[],
): Map<string, LeakCause> {
  const found = new Map<string, LeakCause>();
  const isLeft = (id: string, { instances }: FlowState): boolean => {
    const status = instances.get(id)?.status;
    return status === 'live' && before.instances.get(id)?.status === status;
  };
  for (const id of ids) {
    const failures = thrown.map((state): [FlowState, LeakCause | undefined] => [
      state,
      state.cause,
    ]);
    let isReleasedAtEnd = true;
    for (const { state, value } of outs) {
      const rejected = value.k === 'promise' ? value.rejected : undefined;
      if (rejected !== undefined) failures.push([state, rejected]);
      else isReleasedAtEnd &&= !isLeft(id, state);
    }
    const cause = failures.find(([state]) => isLeft(id, state))?.[1];
    if (isReleasedAtEnd && cause !== undefined) found.set(id, cause);
  }
  return found;
}

/** Whether a closure captures any handles. */
function seesHandles(state: FlowState, value: Extract<Value, { k: 'fn' }>): boolean {
  if (state.instances.size === 0) return false;
  return reachableFrom(state, [value]).instances.size > 0 || value.self.k === 'obj';
}

/**
 * A closure escapes and may be called later, or at an unknown time: from now on it is responsible
 * for the handles that it releases, and the handles that it uses must outlive it.
 */
export function escapes(
  run: FlowRun,
  state: FlowState,
  value: Extract<Value, { k: 'fn' }>,
  time: ClosureTime,
): FlowState {
  if (!isInnerFunction(run, value.fn)) return state;
  const seen = sharesCollections(state, value);
  if (!seesHandles(seen, value)) return seen;
  const { releases, always, uses, losses } = effectsOf(run, seen, value);
  const when = time === 'once' ? 'later' : time;
  for (const id of releases.keys()) run.delegate(state.instances.get(id), losses.get(id));
  const { self } = value;
  // An escaping arrow function of a method keeps its object reachable.
  const isOfObject = self.k === 'obj' && self.id !== THIS && run.frames.length > 1;
  let next = isOfObject ? escape(run, seen, self, run.place(value.fn)) : seen;
  for (const [id, place] of releases) {
    next = willRelease(run, next, id, place, when);
    if (time !== 'once' || !always.has(id)) continue;
    if (next.instances.get(id)?.contract.isModel) continue;
    next = withInstance(next, id, { releasedLater: place });
  }
  for (const [id, places] of uses) {
    if (!releases.has(id)) next = willUse(run, next, id, places, when);
  }
  return next;
}

/** An empty collection that such a closure sees: what is put into it later, it may release. */
function sharesCollections(state: FlowState, value: Value): FlowState {
  let next = state;
  for (const id of reachableFrom(state, [value]).objects) {
    const object = state.heap.get(id);
    if (object === undefined || object.isEscaped || !isEmptyCollection(object)) continue;
    next = withObject(next, id, { isEscaped: true });
  }
  return next;
}

/** A value escapes: handles belong to others, closures run later. */
export function escapeValue(
  run: FlowRun,
  state: FlowState,
  value: Value,
  place: SourceRange,
): FlowState {
  if (value.k !== 'fn') return escape(run, state, value, place);
  if (isInnerFunction(run, value.fn)) return escapes(run, state, value, 'unknown');
  // A closure of another function keeps everything that it captures.
  let next = state;
  for (const id of reachableFrom(state, [value]).instances) {
    if (state.instances.get(id)?.status === 'live') next = move(run, next, id, 'escaped', place);
  }
  return next;
}

/** The statuses of handles that a closure may release later, including unstarted ones. */
const HELD = new Set(['live', 'pending', 'scoped', 'idle']);

function willRelease(
  run: FlowRun,
  state: FlowState,
  id: string,
  place: SourceRange,
  when: 'later' | 'unknown',
): FlowState {
  const instance = state.instances.get(id);
  if (instance === undefined) return state;
  const { status, contract } = instance;
  if (status === 'released' && when === 'later' && !contract.idempotent) {
    return run.fault('double-release', state, instance, place, { other: instance.at });
  }
  if (HELD.has(status)) return move(run, state, id, 'escaped', place);
  return state;
}

function willUse(
  run: FlowRun,
  state: FlowState,
  id: string,
  places: readonly SourceRange[],
  when: 'later' | 'unknown',
): FlowState {
  const instance = state.instances.get(id);
  const [place] = places;
  if (instance === undefined || place === undefined || when === 'unknown') return state;
  return usedLater(run, state, instance, place);
}

function usedLater(
  run: FlowRun,
  state: FlowState,
  instance: Instance,
  place: SourceRange,
): FlowState {
  const { id, status, lateUses } = instance;
  if (instance.contract.usableAfter) return state;
  if (status === 'released' || status === 'moved') {
    const other = instance.at;
    return run.fault('use-after-release', state, instance, place, {
      other,
      reason: 'late-closure',
    });
  }
  if (status === 'escaped') return state;
  if (status === 'borrowed')
    return withInstance(state, id, { leftScope: instance.leftScope ?? place });
  if (lateUses.some((each) => each.start === place.start)) return state;
  return withInstance(state, id, { lateUses: [...lateUses, place] });
}

/**
 * A value as the caller receives it: closures become the handles that they release, since the
 * variables that they capture are not visible outside.
 */
export function exported(
  run: FlowRun,
  state: FlowState,
  value: Value,
): { state: FlowState; value: Value } {
  if (value.k === 'fn') {
    const out = exportedFunction(run, state, value);
    return { ...out, value: withRepeats(run, state, [[value, out.value]])[0]! };
  }
  if (value.k === 'promise') {
    const inner = exported(run, state, value.value);
    return { state: inner.state, value: { ...value, value: inner.value } };
  }
  const object = value.k === 'obj' ? state.heap.get(value.id) : undefined;
  if (object === undefined || value.k !== 'obj' || object.isOuter) return { state, value };
  const functions = [...object.props].filter(([, each]) => each.k === 'fn');
  const props = new Map(object.props);
  let next = state;
  // A handle that one method of an object releases may be used by another method before.
  const released = new Set<string>();
  for (const pass of ['release', 'use'] as const) {
    for (const [name, each] of functions) {
      if (each.k !== 'fn') continue;
      const out = exportedFunction(run, next, each, pass === 'use' ? released : undefined);
      if (pass === 'release' && out.value.k === 'releaser') {
        for (const id of out.value.ids) released.add(id);
        // The iteration protocol releases the handles of the iterator.
        if (ITERATES.test(name))
          for (const id of out.value.ids) next = releasedLater(next, id, each.fn);
      }
      if (pass === 'use') next = out.state;
      props.set(name, out.value);
    }
  }
  const pairs = functions.map(([name, each]) => [each as Closure, props.get(name)!] as const);
  const values = withRepeats(run, state, pairs);
  for (const [index, [name]] of functions.entries()) props.set(name, values[index]!);
  return {
    state: { ...next, heap: new Map(next.heap).set(value.id, { ...object, props }) },
    value,
  };
}

/** Adds to closures that release handles after which of them they do nothing. */
function withRepeats(
  run: FlowRun,
  state: FlowState,
  pairs: readonly (readonly [Closure, Value])[],
): Value[] {
  const isOnce = (id: string): boolean => state.instances.get(id)?.contract.idempotent === false;
  const releasing = pairs.filter(([, value]) => value.k === 'releaser' && value.ids.some(isOnce));
  if (releasing.length === 0) return pairs.map(([, value]) => value);
  const found = harmlessAfter(
    run,
    state,
    releasing.map(([closure]) => closure),
  );
  return pairs.map(([closure, value]) => {
    const after = found.get(closure);
    return value.k === 'releaser' && after !== undefined
      ? { ...value, harmlessAfter: after }
      : value;
  });
}

const ITERATES = /Symbol\.(asyncI|i)terator/;

function releasedLater(
  state: FlowState,
  id: string,
  { file, start, end }: FunctionNode,
): FlowState {
  return withInstance(state, id, { status: 'escaped', at: { file, start, end } });
}

const OWNED = new Set(['live', 'pending', 'escaped']);

function exportedFunction(
  run: FlowRun,
  state: FlowState,
  value: Extract<Value, { k: 'fn' }>,
  released: ReadonlySet<string> = new Set(),
): { state: FlowState; value: Value } {
  if (!isInnerFunction(run, value.fn) && capturedBy(value.fn).length === 0) {
    return { state, value: UNKNOWN };
  }
  if (!seesHandles(state, value)) return { state, value: UNKNOWN };
  const { releases: direct, uses, mayThrow } = effectsOf(run, state, value);
  const releases = new Map([...direct, ...releasedByCaptured(run, state, value)]);
  let next = state;
  for (const [id, places] of uses) {
    if (!releases.has(id) && !released.has(id)) next = willUse(run, next, id, places, 'later');
  }
  // An escaping closure keeps its captured handles reachable.
  for (const id of reachableFrom(next, [value]).instances) {
    if (releases.has(id) || released.has(id)) continue;
    if (mayEndAlone(next.instances.get(id))) next = releasedLater(next, id, value.fn);
  }
  const ids = [...releases.keys()].filter((id) => {
    const instance = instanceOf(next, { k: 'ref', id });
    return instance !== undefined && OWNED.has(instance.status);
  });
  for (const [id, place] of releases) {
    const status = next.instances.get(id)?.status;
    if (status === 'scoped' || status === 'released') {
      next = willRelease(run, next, id, place, 'later');
    }
  }
  if (ids.length === 0) return { state: next, value: mayThrow ? UNKNOWN : { k: 'inert' } };
  return { state: next, value: { k: 'releaser', ids, name: closureName(value) } };
}

/**
 * A function that only uses a handle is no owner of it, but a library's may end by itself, and of
 * one that no one states the function may know more.
 */
function mayEndAlone(instance: Instance | undefined): boolean {
  const isOpen = instance?.status === 'live' || instance?.status === 'pending';
  return isOpen && (instance.contract.isModel || instance.contract.isStructural);
}

/** The handles that methods of a captured object release. */
function releasedByCaptured(
  run: FlowRun,
  state: FlowState,
  value: Extract<Value, { k: 'fn' }>,
): Map<string, SourceRange> {
  const found = new Map<string, SourceRange>();
  for (const id of reachableFrom(state, [value]).objects) {
    const object = state.heap.get(id);
    if (object === undefined || object.isOuter) continue;
    for (const each of object.props.values()) {
      if (each.k !== 'fn' || !seesHandles(state, each)) continue;
      for (const [released, place] of effectsOf(run, state, each).releases) {
        found.set(released, place);
      }
    }
  }
  return found;
}
