// Elements of lists: few are looked at one by one, many are counted.
import type { Place, Step, Taken } from './core.ts';
import type { Machine } from './machine.ts';
import { viewOf } from './simple.ts';
import { basis, change, NO_ELEMENTS, oneLess, oneMore, type Many, type State } from './state.ts';

/** The most elements that are looked at one by one: of a list that grows, and of one as written. */
export const MAX_PARTS = 2;
export const MAX_WRITTEN = 4;

type Parts = ReadonlyMap<string, number | undefined>;

/** A list with these elements, numbered from 0. */
export function listOf(elements: readonly (number | undefined)[]): Parts {
  return new Map(elements.map((id, index) => [String(index), id]));
}

/** A list of few elements becomes one of many: the elements are its own from now on. */
export function collapsed(
  machine: Machine,
  state: State,
  list: number,
  step: Step,
): State | undefined {
  const { parts, needs } = state.things.get(list)!;
  let many: Many = NO_ELEMENTS;
  let next: State | undefined = change(state, list, { parts: undefined, many });
  const basis = [...needs];
  for (const id of parts?.values() ?? []) {
    if (next === undefined) return undefined;
    const thing = id === undefined ? undefined : next.things.get(id)!;
    if (id === undefined) many = { ...many, hasOthers: true };
    else if (thing!.status === 'gone') many = { ...many, isDirty: true };
    else if (thing!.status === 'none' && thing!.needs.length > 0) basis.push(id);
    else if (thing!.status === 'live') {
      next = machine.consume(next, id, step.at, { status: 'inside', owner: list });
      many = { ...many, count: oneMore(many.count) };
    } else if (machine.matters(next, id)) {
      return machine.no('refused', 'a long list of different things', step.at, thing!.origin);
    } else many = { ...many, hasOthers: true };
  }
  return next && change(next, list, { many, needs: basis });
}

/** What is inside a container is then of unknown state. */
export function blurred(state: State, list: number): State {
  let next = state;
  for (const [id, { status, owner }] of state.things) {
    if (status === 'inside' && owner === list) {
      next = change(next, id, { status: 'maybe', owner: undefined });
    }
  }
  return next;
}

/** One element leaves a counted container: of one, that one; of many, it is unknown which. */
export function taken(machine: Machine, state: State, list: number): [State, number] {
  const { many } = state.things.get(list)!;
  const inside = [...state.things].filter(
    ([, { status, owner }]) => status === 'inside' && owner === list,
  );
  const { count } = many!;
  const less = change(state, list, { many: { ...many!, count: oneLess(count) } });
  const [only] = inside;
  if (count === 1 && inside.length === 1 && only !== undefined) {
    return [change(less, only[0], { status: 'live', owner: undefined }), only[0]];
  }
  return machine.fresh(blurred(less, list), 'live', state.things.get(list)!.origin);
}

export function pushed(
  machine: Machine,
  state: State,
  list: number,
  id: number,
  step: Step,
  isFirst = false,
): State | undefined {
  const thing = state.things.get(list)!;
  if (machine.weak('push-copies')) return machine.usable(state, id, step.at);
  if (isOutside(state, list)) {
    if (machine.fn.isMethod && isOfThis(state, list)) {
      return machine.no(
        'refused',
        'kept where no code is seen to release it',
        step.at,
        thing.origin,
      );
    }
    for (const each of basis(state, list)) {
      const { parameter } = state.things.get(each)!;
      if (parameter !== undefined) machine.fills.add(parameter);
    }
    return machine.give(state, id, step.at);
  }
  if (thing.parts !== undefined) {
    const elements = [...thing.parts.values()];
    const all = isFirst ? [id, ...elements] : [...elements, id];
    const next = change(state, list, { parts: listOf(all) });
    return all.length > MAX_PARTS ? collapsed(machine, next, list, step) : next;
  }
  if (thing.many === undefined) {
    return machine.no('refused', 'put into something unknown', step.at, thing.origin);
  }
  const { many } = thing;
  const element = state.things.get(id)!;
  if (element.status === 'none' && !machine.concerns(state, id)) {
    return change(state, list, { many: { ...many, hasOthers: true } });
  }
  if (element.status === 'none') {
    if (element.parts !== undefined && machine.matters(state, id)) {
      return machine.no('refused', 'an object of handles in a long list', step.at, element.origin);
    }
    return change(state, list, { needs: [...new Set([...thing.needs, id])] });
  }
  const next = machine.consume(state, id, step.at, { status: 'inside', owner: list });
  return next && change(next, list, { many: { ...many, count: oneMore(many.count) } });
}

/** A list of another owner, or a part of what another owner has. */
function isOutside(state: State, list: number): boolean {
  const { status, needs, parts, many } = state.things.get(list)!;
  if (status === 'foreign') return true;
  if (status !== 'none' || needs.length === 0 || parts !== undefined || many !== undefined) {
    return false;
  }
  return [...basis(state, list)].every((each) => {
    const thing = state.things.get(each)!;
    return thing.status === 'foreign' || thing.status === 'none';
  });
}

/** A list that was empty, or has the same variable for all keys, goes on having it. */
export function withKey(state: State, list: number, key: Place | undefined): State {
  const { many } = state.things.get(list)!;
  if (many === undefined) return state;
  const keyed = key === undefined ? undefined : { x: key, isNew: false };
  return change(state, list, { many: { ...many, keyed } });
}

/** A part of the object that the method is called on. */
function isOfThis(state: State, list: number): boolean {
  return [...basis(state, list)].some((each) => state.things.get(each)!.parameter === 0);
}

/** Something that does not matter is put into a list: there is a round for it, too. */
export function withOther(state: State, list: number | undefined, isFirst: boolean): State {
  const thing = list === undefined ? undefined : state.things.get(list)!;
  if (list === undefined || thing === undefined) return state;
  if (thing.many !== undefined) {
    return change(state, list, { many: { ...thing.many, hasOthers: true } });
  }
  if (thing.parts === undefined) return state;
  const elements = [...thing.parts.values()];
  if (elements.every((element) => element === undefined)) {
    return change(state, list, { parts: undefined, many: { ...NO_ELEMENTS, hasOthers: true } });
  }
  const all = isFirst ? [undefined, ...elements] : [...elements, undefined];
  return change(state, list, { parts: listOf(all) });
}

export function take(
  machine: Machine,
  state: State,
  list: number,
  which: Taken,
  step: Step,
  bind: (state: State, id: number | undefined) => void,
): void {
  const thing = state.things.get(list)!;
  if (thing.parts !== undefined) {
    const elements = [...thing.parts.values()];
    if (elements.length === 0) return bind(state, undefined);
    const places =
      which === 'some' ? elements.keys() : [which === 'first' ? 0 : elements.length - 1];
    for (const place of places) {
      const left = elements.filter((_, index) => index !== place);
      bind(change(state, list, { parts: listOf(left) }), elements[place]);
    }
    return;
  }
  if (thing.many === undefined) {
    if (thing.status === 'none' && !machine.matters(state, list)) return bind(state, undefined);
    machine.no('refused', 'taken from a list of another owner', step.at, thing.origin);
    return;
  }
  const { count, isDirty, hasOthers } = thing.many;
  if (isDirty && !machine.weak('dead-element')) {
    machine.no('refused', 'the list may hold what is gone', step.at, thing.origin);
    return;
  }
  if (thing.needs.length > 0) {
    machine.no('refused', 'a list of different things', step.at, thing.origin);
    return;
  }
  if (hasOthers) bind(state, undefined);
  if (count === 0 || count === '0+') bind(change(state, list, { many: NO_ELEMENTS }), undefined);
  if (count !== 0) bind(...taken(machine, state, list));
}

/** Any element of a container, which goes on owing it. */
export function element(
  machine: Machine,
  state: State,
  list: number,
  step: Step,
): [State, number | undefined][] {
  const thing = state.things.get(list)!;
  if (thing.parts !== undefined) {
    return [undefined, ...thing.parts.values()].map((id) => [state, id]);
  }
  if (thing.many !== undefined && thing.needs.length === 0) {
    if (thing.many.count === 0 && !thing.many.isDirty) return [[state, undefined]];
    const status = thing.many.isDirty ? 'maybe' : 'inside';
    const owner = thing.many.isDirty ? undefined : list;
    return [[state, undefined], machine.fresh(state, status, step.at, { owner })];
  }
  const usable = machine.usable(state, list, step.at);
  return usable === undefined ? [] : [[usable, undefined], viewOf(machine, usable, [list], step)];
}

export function partOf(
  machine: Machine,
  state: State,
  id: number,
  step: Extract<Step, { k: 'part' }>,
): [State, number | undefined][] {
  const { name } = step;
  const { parts, many, stream } = state.things.get(id)!;
  const part = parts?.get(name);
  if (
    part !== undefined &&
    machine.weak('parts-lost') &&
    state.things.get(part)!.status === 'live'
  ) {
    return [machine.fresh(state, 'none', step.at)];
  }
  if (parts !== undefined) return [[state, part]];
  if (stream === 'own') return [[state, undefined], machine.fresh(state, 'live', step.at)];
  if (many !== undefined) return element(machine, state, id, step);
  const usable = machine.usable(state, id, step.at);
  if (usable === undefined) return [];
  const view = viewOf(machine, usable, [id], step);
  return step.nullable ? [view, [usable, undefined]] : [view];
}
