// The rule of loops over lists: each round looks at an element, or owns it.
import type { Place, Step } from './core.ts';
import { rounds } from './control.ts';
import { blurred, taken } from './elements.ts';
import type { Handler, Machine, Out } from './machine.ts';
import { viewOf } from './simple.ts';
import { bound, change, NO_ELEMENTS, type State } from './state.ts';

type Each = Extract<Step, { k: 'each' }>;

/** Elements of a counted container, each round with one that it may release, or only look at. */
function eachOfMany(machine: Machine, state: State, place: Place, step: Each, out: Out): void {
  const list = state.env.get(place)!;
  const { many, needs } = state.entities.get(list)!;
  const { count, isDirty, hasOthers } = many!;
  if (isDirty && !machine.weak('dead-element')) {
    machine.no(
      'refused',
      'the list may hold what is gone',
      step.at,
      state.entities.get(list)!.origin,
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
  // The refusal of a function with too many situations is not to be tried again.
  if (needs.length > 0 || machine.isStopped) return;
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
  const { many, origin } = state.entities.get(list)!;
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
  const names = [...state.entities.get(state.env.get(place)!)!.parts!.keys()];
  let states: State[] = [state];
  for (const name of names) {
    const next = new Map<string, State>();
    for (const each of states) {
      const { parts } = each.entities.get(each.env.get(place)!)!;
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
  const { stream } = state.entities.get(state.env.get(place)!)!;
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

/** What a generator borrowed for a round is not there in the next. */
function roundEnded(state: State): State {
  let next = state;
  for (const [id, { status, needs }] of state.entities) {
    const isPending = needs.some((need) => state.entities.get(need)!.stream === 'view');
    if (status === 'scoped' && isPending) next = change(next, id, { status: 'gone', needs: [] });
  }
  return next;
}

export const LIST_LOOPS: { readonly each: Handler<'each'> } = {
  each(machine, step, state, out) {
    const id = state.env.get(step.c);
    if (id === undefined) return eachPlain(machine, state, step, out);
    // Entities are numbered anew by every state: the list has a place while it is gone through.
    const place = listPlace(machine, step);
    const start = bound(state, place, id);
    const inner = trialOut(out);
    const { parts, many } = state.entities.get(id)!;
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
