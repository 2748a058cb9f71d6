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
  const { parts, needs } = state.entities.get(list)!;
  let { count, isDirty, hasOthers } = NO_ELEMENTS;
  let next: State | undefined = change(state, list, { parts: undefined, many: NO_ELEMENTS });
  const basis = [...needs];
  for (const id of parts?.values() ?? []) {
    if (next === undefined) return undefined;
    const entity = id === undefined ? undefined : next.entities.get(id)!;
    if (id === undefined) hasOthers = true;
    else if (entity!.status === 'gone') isDirty = true;
    else if (entity!.status === 'none' && entity!.needs.length > 0) basis.push(id);
    else if (entity!.status === 'live') {
      next = machine.consume(next, id, step.at, { status: 'inside', owner: list });
      count = oneMore(count);
    } else if (machine.matters(next, id)) {
      return machine.no('refused', 'a long list of different entities', step.at, entity!.origin);
    } else hasOthers = true;
  }
  const many: Many = { ...NO_ELEMENTS, count, isDirty, hasOthers };
  return next && change(next, list, { many, needs: basis });
}

/** What is inside a container is then of unknown state. */
export function blurred(state: State, list: number): State {
  let next = state;
  for (const [id, { status, owner }] of state.entities) {
    if (status === 'inside' && owner === list) {
      next = change(next, id, { status: 'maybe', owner: undefined });
    }
  }
  return next;
}

/** One element leaves a counted container: of one, that one; of many, it is unknown which. */
export function taken(machine: Machine, state: State, list: number): [State, number] {
  const { many } = state.entities.get(list)!;
  const inside = [...state.entities].filter(
    ([, { status, owner }]) => status === 'inside' && owner === list,
  );
  const { count } = many!;
  const less = change(state, list, { many: { ...many!, count: oneLess(count) } });
  const [only] = inside;
  if (count === 1 && inside.length === 1 && only !== undefined) {
    return [change(less, only[0], { status: 'live', owner: undefined }), only[0]];
  }
  return machine.fresh(blurred(less, list), 'live', state.entities.get(list)!.origin);
}

export function pushed(
  machine: Machine,
  state: State,
  list: number,
  id: number,
  step: Step,
  isFirst = false,
): State | undefined {
  const entity = state.entities.get(list)!;
  if (machine.weak('push-copies')) return machine.usable(state, id, step.at);
  if (isOutside(state, list)) {
    if (machine.fn.isMethod && isOfThis(state, list)) {
      return machine.no(
        'refused',
        'stored where no code is seen to release it',
        step.at,
        entity.origin,
      );
    }
    for (const each of basis(state, list)) {
      const { parameter } = state.entities.get(each)!;
      if (parameter !== undefined) machine.fills.add(parameter);
    }
    return machine.give(state, id, step.at);
  }
  if (entity.parts !== undefined) {
    const elements = [...entity.parts.values()];
    const all = isFirst ? [id, ...elements] : [...elements, id];
    const next = change(state, list, { parts: listOf(all) });
    return all.length > MAX_PARTS ? collapsed(machine, next, list, step) : next;
  }
  if (entity.many === undefined) {
    return machine.no('refused', 'put into something unknown', step.at, entity.origin);
  }
  const { many } = entity;
  const element = state.entities.get(id)!;
  if (element.status === 'none' && !machine.concerns(state, id)) {
    return change(state, list, { many: { ...many, hasOthers: true } });
  }
  if (element.status === 'none') {
    if (element.parts !== undefined && machine.matters(state, id)) {
      return machine.no('refused', 'an object of handles in a long list', step.at, element.origin);
    }
    return change(state, list, { needs: [...new Set([...entity.needs, id])] });
  }
  const next = machine.consume(state, id, step.at, { status: 'inside', owner: list });
  return next && change(next, list, { many: { ...many, count: oneMore(many.count) } });
}

/** A list of another owner, or a part of what another owner has. */
function isOutside(state: State, list: number): boolean {
  const { status, needs, parts, many } = state.entities.get(list)!;
  if (status === 'foreign') return true;
  if (status !== 'none' || needs.length === 0 || parts !== undefined || many !== undefined) {
    return false;
  }
  return [...basis(state, list)].every((each) => {
    const entity = state.entities.get(each)!;
    return entity.status === 'foreign' || entity.status === 'none';
  });
}

/** A list that was empty, or has the same variable for all keys, goes on having it. */
export function withKey(state: State, list: number, key: Place | undefined): State {
  const { many } = state.entities.get(list)!;
  if (many === undefined) return state;
  const keyed = key === undefined ? undefined : { x: key, isNew: false };
  return change(state, list, { many: { ...many, keyed } });
}

/** A part of the object that the method is called on. */
function isOfThis(state: State, list: number): boolean {
  return [...basis(state, list)].some((each) => state.entities.get(each)!.parameter === 0);
}

/** Something that does not matter is put into a list: there is a round for it, too. */
export function withOther(state: State, list: number | undefined, isFirst: boolean): State {
  const entity = list === undefined ? undefined : state.entities.get(list)!;
  if (list === undefined || entity === undefined) return state;
  if (entity.many !== undefined) {
    return change(state, list, { many: { ...entity.many, hasOthers: true } });
  }
  if (entity.parts === undefined) return state;
  const elements = [...entity.parts.values()];
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
  const entity = state.entities.get(list)!;
  if (entity.parts !== undefined) {
    const elements = [...entity.parts.values()];
    if (elements.length === 0) return bind(state, undefined);
    const places =
      which === 'some' ? elements.keys() : [which === 'first' ? 0 : elements.length - 1];
    for (const place of places) {
      const left = elements.filter((_, index) => index !== place);
      bind(change(state, list, { parts: listOf(left) }), elements[place]);
    }
    return;
  }
  if (entity.many === undefined) {
    if (entity.status === 'none' && !machine.matters(state, list)) return bind(state, undefined);
    machine.no('refused', 'taken from a list of another owner', step.at, entity.origin);
    return;
  }
  const { count, isDirty, hasOthers } = entity.many;
  if (isDirty && !machine.weak('dead-element')) {
    machine.no('refused', 'the list may hold what is gone', step.at, entity.origin);
    return;
  }
  if (entity.needs.length > 0) {
    machine.no('refused', 'a list of different entities', step.at, entity.origin);
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
  const entity = state.entities.get(list)!;
  if (entity.parts !== undefined) {
    return [undefined, ...entity.parts.values()].map((id) => [state, id]);
  }
  if (entity.many !== undefined && entity.needs.length === 0) {
    if (entity.many.count === 0 && !entity.many.isDirty) return [[state, undefined]];
    const status = entity.many.isDirty ? 'maybe' : 'inside';
    const owner = entity.many.isDirty ? undefined : list;
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
  const { parts, many, stream } = state.entities.get(id)!;
  const part = parts?.get(name);
  if (
    part !== undefined &&
    machine.weak('parts-lost') &&
    state.entities.get(part)!.status === 'live'
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
