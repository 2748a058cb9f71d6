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
import { bound, change, NO_ELEMENTS, type State, type Thing } from './state.ts';

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
    const thing = id === undefined ? undefined : state.things.get(id)!;
    if (id !== undefined && thing?.parts !== undefined) {
      const parts = new Map(thing.parts).set(step.name, value);
      return machine.normal(out, change(state, id, { parts }), step);
    }
    if (value === undefined || !machine.concerns(state, value)) {
      return machine.normal(out, state, step);
    }
    const { status, origin } = state.things.get(value)!;
    if (status === 'scoped') machine.no('escape', 'kept beyond its scope', step.at, origin);
    else if (status === 'live')
      machine.no('refused', 'kept where no code is seen to release it', step.at, origin);
    else if (machine.mayOutlive(state, value, step.at)) machine.normal(out, state, step);
  },
  dropPart(machine, step, state, out) {
    const id = state.env.get(step.y);
    const thing = id === undefined ? undefined : state.things.get(id)!;
    if (id === undefined || thing === undefined) return machine.normal(out, state, step);
    if (thing.parts !== undefined) {
      const parts = new Map(thing.parts);
      parts.delete(step.name);
      return machine.normal(out, change(state, id, { parts }), step);
    }
    if (!machine.matters(state, id)) return machine.normal(out, state, step);
    machine.no('refused', 'taken out of something unknown', step.at, thing.origin);
  },
  element(machine, step, state, out) {
    const id = state.env.get(step.y);
    if (id === undefined) return machine.normal(out, assigned(state, step.x, undefined), step);
    for (const [next, found] of element(machine, state, id, step)) {
      machine.normal(out, assigned(next, step.x, found), step);
    }
  },
  push(machine, step, state, out) {
    const given = handedOver(machine, state, step.y, step);
    if (given === undefined) return;
    const [next, id] = given;
    const list = next.env.get(step.c);
    if (id === undefined) {
      const more = withOther(next, list, step.isFirst);
      const parts = list === undefined ? undefined : more.things.get(list)!.parts;
      const isLong = list !== undefined && (parts?.size ?? 0) > MAX_PARTS;
      return machine.normal(out, isLong ? collapsed(machine, more, list, step) : more, step);
    }
    if (list !== undefined) {
      return machine.normal(out, pushed(machine, next, list, id, step, step.isFirst), step);
    }
    if (!machine.matters(next, id)) return machine.normal(out, next, step);
    machine.no('refused', 'put into something unknown', step.at, next.things.get(id)!.origin);
  },
  putUnder(machine, step, state, out) {
    const id = state.env.get(step.y);
    const list = state.env.get(step.c);
    if (list === undefined) {
      if (id === undefined || !machine.matters(state, id)) return machine.normal(out, state, step);
      const { origin } = state.things.get(id)!;
      machine.no('refused', 'put into something unknown', step.at, origin);
      return;
    }
    const thing = state.things.get(list)!;
    const matters = id !== undefined && machine.matters(state, id);
    const isFree = thing.status === 'foreign' || hasRoom(thing, step.key);
    if (!isFree && (matters || machine.matters(state, list))) {
      machine.no('refused', 'it may replace what is there', step.at, thing.origin);
      return;
    }
    if (id === undefined) return machine.normal(out, withOther(state, list, false), step);
    const opened = thing.parts === undefined ? state : collapsed(machine, state, list, step);
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
    const thing = list === undefined ? undefined : state.things.get(list)!;
    if (list === undefined || thing === undefined) return machine.normal(out, state, step);
    const isFilled = thing.many !== undefined && thing.many.count !== 0;
    if (isFilled) return void machine.no('leak', 'elements', step.at, thing.origin);
    if (thing.parts === undefined && thing.many === undefined) {
      return void machine.no('refused', 'a list of another owner', step.at, thing.origin);
    }
    const emptied: Partial<Thing> =
      thing.parts === undefined ? { many: NO_ELEMENTS } : { parts: listOf([]) };
    machine.normal(out, change(state, list, emptied), step);
  },
};

/** Whether nothing is under a key: the list is empty, or the key was never one. */
function hasRoom({ parts, many }: Thing, key: string | undefined): boolean {
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
  const thing = state.things.get(list)!;
  const { at, from, x } = step;
  if (thing.parts !== undefined) {
    const elements = [...thing.parts.values()];
    const rest = change(state, list, { parts: listOf(elements.slice(0, from)) });
    const more = { parts: listOf(elements.slice(from)), isList: true };
    const [next, id] = machine.fresh(rest, 'none', at, more);
    return bound(next, x, id);
  }
  if (thing.many === undefined || from !== 0) {
    if (thing.many?.count === 0 || !machine.matters(state, list)) return bound(state, x, undefined);
    return machine.no('refused', 'taken from a list of another owner', at, thing.origin);
  }
  const { many, needs, origin } = thing;
  let [next, id] = machine.fresh(state, 'none', origin, { many, needs, isList: true });
  next = change(next, list, { many: NO_ELEMENTS, needs: [] });
  for (const [each, { status, owner }] of next.things) {
    if (status === 'inside' && owner === list) next = change(next, each, { owner: id });
  }
  return bound(next, x, id);
}
