// The rules of containers and objects: few elements are looked at one by one, many are counted.
import type { Place, Step, Taken } from './core.ts';
import type { Handlers, Machine, Out } from './machine.ts';
import { handedOver } from './closures.ts';
import { rounds } from './control.ts';
import { assigned, outside, viewOf } from './simple.ts';
import {
  basis,
  bound,
  change,
  NO_ELEMENTS,
  oneLess,
  oneMore,
  type Many,
  type State,
  type Thing,
} from './state.ts';

/** The most elements that are looked at one by one: of a list that grows, and of one as written. */
const MAX_PARTS = 2;
const MAX_WRITTEN = 4;

type Each = Extract<Step, { k: 'each' }>;

type Parts = ReadonlyMap<string, number | undefined>;

/** A list with these elements, numbered from 0. */
function listOf(elements: readonly (number | undefined)[]): Parts {
  return new Map(elements.map((id, index) => [String(index), id]));
}

/** A list of few elements becomes one of many: the elements are its own from now on. */
function collapsed(machine: Machine, state: State, list: number, step: Step): State | undefined {
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
function blurred(state: State, list: number): State {
  let next = state;
  for (const [id, { status, owner }] of state.things) {
    if (status === 'inside' && owner === list) {
      next = change(next, id, { status: 'maybe', owner: undefined });
    }
  }
  return next;
}

/** One element leaves a counted container: of one, that one; of many, it is unknown which. */
function taken(machine: Machine, state: State, list: number): [State, number] {
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

function pushed(
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
function withKey(state: State, list: number, key: Place | undefined): State {
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
function withOther(state: State, list: number | undefined, isFirst: boolean): State {
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

function take(
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
function element(
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

function partOf(
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

/** Elements of a counted container, each round with one that it may release, or only look at. */
function eachOfMany(machine: Machine, state: State, place: Place, step: Each, out: Out): void {
  const list = state.env.get(place)!;
  const { many, needs } = state.things.get(list)!;
  const { count, isDirty, hasOthers } = many!;
  if (isDirty && !machine.weak('dead-element')) {
    machine.no(
      'refused',
      'the list may hold what is gone',
      step.at,
      state.things.get(list)!.origin,
    );
    return;
  }
  if (count === 0 && needs.length === 0) {
    return hasOthers ? eachPlain(machine, state, step, out) : machine.normal(out, state, step);
  }
  const mark = machine.refused.length;
  const trial = trialOut(out);
  rounds(machine, state, step, trial, (each) => {
    const other = hasOthers ? [bound(each, step.x, undefined)] : [];
    const owner = each.env.get(place)!;
    const [next, id] =
      needs.length > 0
        ? viewOf(machine, each, [owner], step)
        : machine.fresh(each, 'inside', step.at, { owner });
    return [...other, bound(next, step.x, id)];
  });
  if (machine.refused.length === mark) return commit(machine, trial, out, step);
  if (needs.length > 0) return;
  machine.refused.splice(mark);
  drained(machine, state, list, step, out);
}

/** Rounds with elements that do not matter. */
function eachPlain(machine: Machine, state: State, step: Each, out: Out): void {
  rounds(machine, state, step, out, (each) => [bound(each, step.x, undefined)]);
}

function trialOut(out: Out): Out {
  return { ...out, normal: new Map(), thrown: new Map(), returned: new Map(), jumps: new Map() };
}

function commit(machine: Machine, from: Out, to: Out, step: Step): void {
  machine.putAll(to.normal, from.normal.values(), step.at);
  machine.abrupt(from, to, step);
}

/** Each round owns its element; what leaves the loop before the end loses the rest. */
function drained(machine: Machine, state: State, list: number, step: Each, out: Out): void {
  const { many, origin } = state.things.get(list)!;
  const { hasOthers } = many!;
  const ended = { ...NO_ELEMENTS, isDirty: !step.isTaken, hasOthers };
  if (many!.count === 1 && !hasOthers) {
    const [next, id] = taken(machine, state, list);
    const start = bound(change(next, list, { many: ended }), step.x, id);
    const once = machine.run(step.body, new Map([['', start]]));
    machine.putAll(out.normal, once.normal.values(), step.at);
    return machine.abrupt(once, out, step);
  }
  const start = change(blurred(state, list), list, { many: ended });
  const inner = trialOut(out);
  rounds(machine, start, step, inner, (each) => {
    const [next, id] = machine.fresh(each, 'live', origin);
    const other = hasOthers ? [bound(each, step.x, undefined)] : [];
    return [...other, bound(next, step.x, id)];
  });
  machine.putAll(out.normal, inner.normal.values(), step.at);
  const leaves = inner.thrown.size + inner.returned.size + inner.jumps.size > 0;
  if (leaves && !machine.weak('drain-rest')) {
    machine.no('leak', 'the rest of the list', step.at, origin);
  } else machine.abrupt(inner, out, step);
}

/** A few elements, one after the other. */
function eachOfParts(machine: Machine, state: State, place: Place, step: Each, out: Out): void {
  const names = [...state.things.get(state.env.get(place)!)!.parts!.keys()];
  let states: State[] = [state];
  for (const name of names) {
    const next = new Map<string, State>();
    for (const each of states) {
      const { parts } = each.things.get(each.env.get(place)!)!;
      if (parts === undefined || [...parts.keys()].join() !== names.join()) {
        machine.no('refused', 'the list changes while it is read', step.at);
        return;
      }
      const start = bound(each, step.x, parts.get(name));
      const round = machine.run(step.body, new Map([['', start]]));
      machine.putAll(next, round.normal.values(), step.at);
      machine.abrupt(round, out, step);
    }
    states = [...next.values()];
  }
  for (const each of states) machine.normal(out, each, step);
}

/** The place that holds a list while it is gone through. */
function listPlace({ depth }: Machine, { at }: Step): Place {
  return `each ${depth} ${at.start}`;
}

/** A generator, or something from outside: rounds get what it gives, or a view of it. */
function eachOfOther(machine: Machine, state: State, place: Place, step: Each, out: Out): void {
  const { stream } = state.things.get(state.env.get(place)!)!;
  if (stream !== undefined) machine.thrown(out, state, step);
  const trial = stream === 'view' ? trialOut(out) : out;
  rounds(machine, state, step, trial, (each) => {
    if (stream === 'own') {
      const [next, fresh] = machine.fresh(each, 'live', step.at);
      return [bound(next, step.x, fresh)];
    }
    const ended = roundEnded(each);
    const id = ended.env.get(place)!;
    const usable = machine.usable(ended, id, step.at);
    if (usable === undefined) return [];
    if (stream === 'view') {
      const [next, fresh] = machine.fresh(usable, 'scoped', step.at, { needs: [id] });
      return [bound(next, step.x, fresh)];
    }
    const [next, view] = viewOf(machine, usable, [id], step);
    return [bound(next, step.x, view)];
  });
  if (trial === out) return;
  machine.putAll(out.normal, [...trial.normal.values()].map(roundEnded), step.at);
  machine.putAll(out.thrown, [...trial.thrown.values()].map(roundEnded), step.at);
  machine.putAll(out.returned, [...trial.returned.values()].map(roundEnded), step.at);
  for (const [label, states] of trial.jumps) {
    for (const each of states.values()) machine.jumped(out, label, roundEnded(each), step);
  }
}

/** What a generator lent for a round is not there in the next. */
function roundEnded(state: State): State {
  let next = state;
  for (const [id, { status, needs }] of state.things) {
    const isLent = needs.some((need) => state.things.get(need)!.stream === 'view');
    if (status === 'scoped' && isLent) next = change(next, id, { status: 'gone', needs: [] });
  }
  return next;
}

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
  | 'each'
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
    if (id === undefined || (list === undefined && !machine.matters(state, id))) {
      return machine.normal(out, state, step);
    }
    const thing = list === undefined ? undefined : state.things.get(list)!;
    const isEmpty = thing?.parts?.size === 0 || (thing?.many?.count === 0 && !thing.many.isDirty);
    const keyed = thing?.many?.keyed;
    const isNew = keyed?.isNew === true && keyed.x === step.key && thing?.many?.isDirty === false;
    const isOwner = thing?.status === 'foreign' || isEmpty || isNew;
    if (list === undefined || thing === undefined || (machine.matters(state, id) && !isOwner)) {
      machine.no('refused', 'it may replace what is there', step.at, state.things.get(id)!.origin);
      return;
    }
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
  each(machine, step, state, out) {
    const id = state.env.get(step.c);
    if (id === undefined) return eachPlain(machine, state, step, out);
    // Things are numbered anew by every state: the list has a place while it is gone through.
    const place = listPlace(machine, step);
    const start = bound(state, place, id);
    const inner = trialOut(out);
    const { parts, many } = state.things.get(id)!;
    if (parts !== undefined) eachOfParts(machine, start, place, step, inner);
    else if (many !== undefined) eachOfMany(machine, start, place, step, inner);
    else eachOfOther(machine, start, place, step, inner);
    const without = (each: State): State => bound(each, place, undefined);
    machine.putAll(out.normal, [...inner.normal.values()].map(without), step.at);
    machine.putAll(out.thrown, [...inner.thrown.values()].map(without), step.at);
    machine.putAll(out.returned, [...inner.returned.values()].map(without), step.at);
    for (const [label, states] of inner.jumps) {
      for (const each of states.values()) machine.jumped(out, label, without(each), step);
    }
  },
};

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
