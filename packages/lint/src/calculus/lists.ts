// The rules of operations on lists and objects.
import type { Step } from './core.ts';
import { handedOver } from './closures.ts';
import {
  collapsed,
  element,
  listOf,
  MAX_PARTS,
  MAX_WRITTEN,
  partOf,
  pushed,
  take,
  withKey,
  withOther,
} from './elements.ts';
import type { Handlers, Machine } from './machine.ts';
import { assigned, outside } from './simple.ts';
import { bound, change, NO_ELEMENTS, type State, type Entity } from './state.ts';

export const LISTS: Pick<
  Handlers,
  | 'record'
  | 'part'
  | 'setPart'
  | 'dropPart'
  | 'element'
  | 'push'
  | 'putUnder'
  | 'take'
  | 'takeAll'
  | 'empty'
> = {
  record(machine, step, state, out) {
    const parts = new Map(step.parts.map(([name, place]) => [name, state.env.get(place)]));
    const { isList } = step;
    const [next, id] = machine.fresh(state, 'none', step.at, { parts, isList });
    const all = bound(next, step.x, id);
    const isLong = isList && parts.size > MAX_WRITTEN;
    machine.normal(out, isLong ? collapsed(machine, all, id, step) : all, step);
  },
  part(machine, step, state, out) {
    const id = state.env.get(step.y);
    if (id === undefined) return outside(machine, state, step, out);
    const found = partOf(machine, state, id, step);
    for (const [next, part] of found) machine.normal(out, assigned(next, step.x, part), step);
  },
  setPart(machine, step, state, out) {
    const id = state.env.get(step.y);
    const value = state.env.get(step.value);
    const entity = id === undefined ? undefined : state.entities.get(id)!;
    if (id !== undefined && entity?.parts !== undefined) {
      const parts = new Map(entity.parts).set(step.name, value);
      return machine.normal(out, change(state, id, { parts }), step);
    }
    if (value === undefined || !machine.concerns(state, value)) {
      return machine.normal(out, state, step);
    }
    const { status, origin } = state.entities.get(value)!;
    if (status === 'scoped') machine.no('escape', 'stored beyond its scope', step.at, origin);
    else if (status === 'live')
      machine.no('refused', 'stored where no code is seen to release it', step.at, origin);
    else if (machine.mayOutlive(state, value, step.at)) machine.normal(out, state, step);
  },
  dropPart(machine, step, state, out) {
    const id = state.env.get(step.y);
    const entity = id === undefined ? undefined : state.entities.get(id)!;
    if (id === undefined || entity === undefined) return machine.normal(out, state, step);
    if (entity.parts !== undefined) {
      const parts = new Map(entity.parts);
      parts.delete(step.name);
      return machine.normal(out, change(state, id, { parts }), step);
    }
    if (!machine.matters(state, id)) return machine.normal(out, state, step);
    machine.no('refused', 'taken out of something unknown', step.at, entity.origin);
  },
  element(machine, step, state, out) {
    const id = state.env.get(step.y);
    if (id === undefined) return machine.normal(out, assigned(state, step.x, undefined), step);
    for (const [next, found] of element(machine, state, id, step)) {
      machine.normal(out, assigned(next, step.x, found), step);
    }
  },
  push(machine, step, state, out) {
    const passedOn = handedOver(machine, state, step.y, step);
    if (passedOn === undefined) return;
    const [next, id] = passedOn;
    const list = next.env.get(step.c);
    if (id === undefined) {
      const more = withOther(next, list, step.isFirst);
      const parts = list === undefined ? undefined : more.entities.get(list)!.parts;
      const isLong = list !== undefined && (parts?.size ?? 0) > MAX_PARTS;
      return machine.normal(out, isLong ? collapsed(machine, more, list, step) : more, step);
    }
    if (list !== undefined) {
      return machine.normal(out, pushed(machine, next, list, id, step, step.isFirst), step);
    }
    if (!machine.matters(next, id)) return machine.normal(out, next, step);
    machine.no('refused', 'put into something unknown', step.at, next.entities.get(id)!.origin);
  },
  putUnder(machine, step, state, out) {
    const id = state.env.get(step.y);
    const list = state.env.get(step.c);
    if (list === undefined) {
      if (id === undefined || !machine.matters(state, id)) return machine.normal(out, state, step);
      const { origin } = state.entities.get(id)!;
      machine.no('refused', 'put into something unknown', step.at, origin);
      return;
    }
    const entity = state.entities.get(list)!;
    const matters = id !== undefined && machine.matters(state, id);
    const isFree = entity.status === 'foreign' || hasRoom(entity, step.key);
    if (!isFree && (matters || machine.matters(state, list))) {
      machine.no('refused', 'it may replace what is there', step.at, entity.origin);
      return;
    }
    if (id === undefined) return machine.normal(out, withOther(state, list, false), step);
    const opened = entity.parts === undefined ? state : collapsed(machine, state, list, step);
    const next = opened && pushed(machine, opened, list, id, step);
    machine.normal(out, next && withKey(next, list, step.key), step);
  },
  take(machine, step, state, out) {
    const list = state.env.get(step.c);
    const bind = (next: State, id: number | undefined): void =>
      machine.normal(out, assigned(next, step.x, id), step);
    if (list === undefined) return bind(state, undefined);
    take(machine, state, list, step.which, step, bind);
  },
  takeAll(machine, step, state, out) {
    const list = state.env.get(step.c);
    if (list === undefined) return machine.normal(out, assigned(state, step.x, undefined), step);
    machine.normal(out, takenAll(machine, state, list, step), step);
  },
  empty(machine, step, state, out) {
    const list = state.env.get(step.c);
    const entity = list === undefined ? undefined : state.entities.get(list)!;
    if (list === undefined || entity === undefined) return machine.normal(out, state, step);
    const isFilled = entity.many !== undefined && entity.many.count !== 0;
    if (isFilled) return void machine.no('leak', 'elements', step.at, entity.origin);
    if (entity.parts === undefined && entity.many === undefined) {
      return void machine.no('refused', 'a list of another owner', step.at, entity.origin);
    }
    const emptied: Partial<Entity> =
      entity.parts === undefined ? { many: NO_ELEMENTS } : { parts: listOf([]) };
    machine.normal(out, change(state, list, emptied), step);
  },
};

/** Whether nothing is under a key: the list is empty, or the key was never one. */
function hasRoom({ parts, many }: Entity, key: string | undefined): boolean {
  if (parts !== undefined) return parts.size === 0;
  if (many === undefined || many.isDirty) return false;
  return many.count === 0 || (many.keyed?.isNew === true && many.keyed.x === key);
}

function takenAll(
  machine: Machine,
  state: State,
  list: number,
  step: Extract<Step, { k: 'takeAll' }>,
): State | undefined {
  const entity = state.entities.get(list)!;
  const { at, from, x } = step;
  if (entity.parts !== undefined) {
    const elements = [...entity.parts.values()];
    const rest = change(state, list, { parts: listOf(elements.slice(0, from)) });
    const more = { parts: listOf(elements.slice(from)), isList: true };
    const [next, id] = machine.fresh(rest, 'none', at, more);
    return bound(next, x, id);
  }
  if (entity.many === undefined || from !== 0) {
    if (entity.many?.count === 0 || !machine.matters(state, list))
      return bound(state, x, undefined);
    return machine.no('refused', 'taken from a list of another owner', at, entity.origin);
  }
  const { many, needs, origin } = entity;
  const [filled, id] = machine.fresh(state, 'none', origin, { many, needs, isList: true });
  let next = change(filled, list, { many: NO_ELEMENTS, needs: [] });
  for (const [each, { status, owner }] of next.entities) {
    if (status === 'inside' && owner === list) next = change(next, each, { owner: id });
  }
  return bound(next, x, id);
}
