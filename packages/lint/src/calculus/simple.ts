// The rules of operations on places: acquire, copy, use, release, transitions, views, promises.
import type { Handlers, Machine, Out } from './machine.ts';
import { RESULT } from './machine.ts';
import type { Outside, Place, Step } from './core.ts';
import { ANY_NUMBER, bound, change, NO_ELEMENTS, type Many, type State } from './state.ts';
import { isOfMany, ORDER_IN_LIST } from './rules.ts';

/** What places hold, without those that hold nothing. */
export function held(state: State, places: readonly Place[]): number[] {
  const ids = places.map((place) => state.env.get(place)).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/** The state if all of these are usable. */
export function allUsable(
  machine: Machine,
  state: State,
  ids: readonly number[],
  step: Step,
): State | undefined {
  let next: State | undefined = state;
  for (const id of ids) next &&= machine.usable(next, id, step.at);
  return next;
}

/** Binds a place; what it held before is collected by the next state. */
export function assigned(state: State, x: Place, id: number | undefined): State {
  return bound(state, x, id);
}

/** The view of some entities: of nothing, nothing. */
export function viewOf(
  machine: Machine,
  state: State,
  ids: readonly number[],
  step: Step,
  lends = false,
): [State, number | undefined] {
  if (ids.length === 0) return [state, undefined];
  const [next, id] = machine.fresh(state, 'none', step.at, { needs: ids, lends });
  return [next, id];
}

export const SIMPLE: Pick<
  Handlers,
  | 'acquire'
  | 'copy'
  | 'clear'
  | 'declare'
  | 'advance'
  | 'read'
  | 'use'
  | 'release'
  | 'next'
  | 'view'
  | 'promise'
  | 'pass'
  | 'unknown'
  | 'refuse'
  | 'flag'
  | 'jump'
  | 'return'
  | 'throw'
  | 'yield'
> = {
  acquire(machine, step, state, out) {
    if (step.throws && !machine.weak('acquire-nothrow')) machine.thrown(out, state, step);
    const before = held(state, step.before);
    const unknown = before.map((each) => state.entities.get(each)!).find(isOfMany);
    if (unknown !== undefined) machine.no('refused', ORDER_IN_LIST, step.at, unknown.origin);
    const status = !step.owned ? 'foreign' : step.form === 'list' ? 'none' : 'live';
    const many = step.form === 'list' ? ANY_NUMBER : NO_ELEMENTS;
    const more = step.form === 'one' || !step.owned ? { before } : { many, isList: true };
    const [next, id] = machine.fresh(state, status, step.at, more);
    machine.normal(out, assigned(next, step.x, id), step);
    if (step.nullable) machine.normal(out, assigned(state, step.x, undefined), step);
  },
  copy(machine, step, state, out) {
    const id = machine.weak('alias-lost') ? undefined : state.env.get(step.y);
    machine.normal(out, assigned(state, step.x, id), step);
  },
  clear(machine, step, state, out) {
    let next = state;
    for (const x of step.xs) next = bound(next, x, undefined);
    machine.normal(out, next, step);
  },
  declare(machine, step, state, out) {
    let next = bound(state, step.x, undefined);
    for (const [id, { closure }] of state.entities) {
      if (closure?.variables.includes(step.x) === true) {
        next = change(next, id, { status: 'maybe', closure: undefined });
      }
    }
    machine.normal(out, rekeyed(next, step.x, undefined), step);
  },
  advance(machine, step, state, out) {
    machine.normal(out, rekeyed(state, step.x, { x: step.x, isNew: true }), step);
  },
  read(machine, step, state, out) {
    const id = state.env.get(step.y);
    const entity = id === undefined ? undefined : state.entities.get(id)!;
    const isStructure = entity?.parts !== undefined || entity?.many !== undefined;
    if (id === undefined || (isStructure && entity?.status === 'none')) {
      return machine.normal(out, state, step);
    }
    machine.normal(out, machine.usable(state, id, step.at), step);
  },
  use(machine, step, state, out) {
    const next = allUsable(machine, state, held(state, step.ys), step);
    machine.normal(out, next, step);
    if (step.throws && !machine.weak('use-nothrow')) machine.thrown(out, next, step);
  },
  release(machine, step, state, out) {
    const id = state.env.get(step.y);
    machine.normal(out, id === undefined ? state : machine.consume(state, id, step.at), step);
  },
  next(machine, step, state, out) {
    const id = state.env.get(step.y);
    if (id === undefined) return machine.normal(out, assigned(state, step.x, undefined), step);
    const gone = machine.consume(state, id, step.at);
    if (gone === undefined) return;
    if (step.throws) machine.thrown(out, machine.weak('next-on-normal') ? state : gone, step);
    const { before } = state.entities.get(id)!;
    const [filled, fresh] = machine.fresh(gone, 'live', step.at, { before });
    machine.normal(out, assigned(filled, step.x, fresh), step);
    if (step.nullable) machine.normal(out, assigned(gone, step.x, undefined), step);
  },
  view(machine, step, state, out) {
    const ids = held(state, step.ys);
    const usable = allUsable(machine, state, ids, step);
    if (usable === undefined) return;
    if (step.throws) machine.thrown(out, usable, step);
    if (ids.length === 0) return outside(machine, usable, step, out);
    const [next, id] = viewOf(machine, usable, ids, step, step.lends);
    machine.normal(out, assigned(next, step.x, id), step);
    if (step.nullable) machine.normal(out, assigned(usable, step.x, undefined), step);
  },
  promise(machine, step, state, out) {
    const needs = held(state, step.ys);
    const usable = allUsable(machine, state, needs, step);
    if (usable === undefined) return;
    if (step.throws) machine.thrown(out, usable, step);
    const promises = step.nullable ? 'optional' : 'owned';
    const lends = needs.length > 0;
    const [next, id] = machine.fresh(usable, 'live', step.at, { promises, needs, lends });
    machine.normal(out, assigned(next, step.x, id), step);
  },
  pass(machine, step, state, out) {
    const ids = held(state, step.ys);
    for (const id of ids) {
      const { parameter: from } = state.entities.get(id)!;
      if (from !== undefined) machine.passes.add(from);
      if (!machine.matters(state, id) || isView(state, id)) continue;
      const usable = machine.usable(state, id, step.at);
      const { origin } = state.entities.get(id)!;
      if (usable === undefined || machine.weak('unknown-borrows')) continue;
      machine.no('refused', step.why, step.at, origin);
      return;
    }
    machine.normal(out, allUsable(machine, state, ids, step), step);
  },
  unknown(machine, step, state, out) {
    const ids = held(state, step.ys).filter((id) => machine.matters(state, id));
    if (ids.length === 0) return machine.normal(out, state, step);
    const { origin } = state.entities.get(ids[0]!)!;
    if (machine.weak('unknown-borrows')) {
      return machine.normal(out, allUsable(machine, state, ids, step), step);
    }
    const gone = allUsable(machine, state, ids, step);
    if (gone !== undefined) machine.no('refused', step.why, step.at, origin);
  },
  refuse(machine, step, state, out) {
    const ids = step.ys && held(state, step.ys).filter((id) => machine.matters(state, id));
    if (ids?.length === 0) return machine.normal(out, state, step);
    const origin = ids?.[0] === undefined ? undefined : state.entities.get(ids[0])!.origin;
    machine.no('refused', step.why, step.at, origin);
  },
  flag(machine, step, state, out) {
    const { name, value } = step;
    const facts = new Map(state.facts);
    if (facts.get(name) !== 'unknown' && !machine.weak('flag-stored')) {
      if (value === undefined) facts.delete(name);
      else facts.set(name, value);
    }
    machine.normal(out, { ...state, facts }, step);
  },
  jump(machine, step, state, out) {
    machine.jumped(out, step.label, state, step);
  },
  return(machine, step, state, out) {
    const id = step.y === undefined ? undefined : state.env.get(step.y);
    machine.put(out.returned, bound(state, RESULT, id), step.at);
  },
  throw(machine, step, state, out) {
    machine.thrown(out, state, step);
  },
  yield(machine, step, state, out) {
    const id = step.y === undefined ? undefined : state.env.get(step.y);
    const next = id === undefined ? state : yielded(machine, state, id, step);
    if (next === undefined) return;
    for (const each of machine.wait(next, step)) {
      machine.normal(out, each, step);
      if (!machine.weak('no-abandon')) abandon(machine, each, step, out);
    }
  },
};

/** Lists with keys of a variable, when it changes. */
function rekeyed(state: State, x: Place, keyed: Many['keyed']): State {
  let next = state;
  for (const [id, { many }] of state.entities) {
    if (many?.keyed?.x === x) next = change(next, id, { many: { ...many, keyed } });
  }
  return next;
}

/** Only a view: what it rests on is not in it. */
export function isView(state: State, id: number): boolean {
  const { status, needs, parts, many, closure } = state.entities.get(id)!;
  const isStructure = parts !== undefined || many !== undefined || closure !== undefined;
  return status === 'none' && needs.length > 0 && !isStructure;
}

/** Nothing, or a handle of another owner, as the type says. */
export function outside(
  machine: Machine,
  state: State,
  step: Extract<Step, { readonly outside: Outside }>,
  out: Out,
): void {
  const isThere = step.outside === 'handle' || step.outside === 'promise';
  if (!isThere) machine.normal(out, assigned(state, step.x, undefined), step);
  if (step.outside === 'nothing') return;
  const status = step.outside === 'promise' ? 'none' : 'foreign';
  const [next, id] = machine.fresh(state, status, step.at);
  machine.normal(out, assigned(next, step.x, id), step);
}

/** The round that gets a handle owns it, or has it until the next round. */
function yielded(machine: Machine, state: State, id: number, step: Step): State | undefined {
  const isOwned = state.entities.get(id)!.status === 'live';
  if (isOwned && machine.yields === 'passedOn') {
    machine.yielded = 'own';
    return machine.give(state, id, step.at);
  }
  if (machine.yielded === 'own' && machine.matters(state, id)) {
    return machine.no('refused', 'some yields give a handle and others lend it', step.at);
  }
  if (machine.yielded === 'nothing' && machine.matters(state, id)) machine.yielded = 'view';
  return machine.usable(state, id, step.at);
}

function abandon(machine: Machine, state: State, step: Step, out: Out): void {
  machine.put(out.returned, bound(state, RESULT, undefined), step.at);
}
