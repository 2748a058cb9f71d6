// The rules of control: conditions split states, loops run to a fixpoint, `finally` follows each
// way out on its own.
import type { At, Condition, Step } from './core.ts';
import { RESULT, noStates, type Handlers, type Machine, type Out } from './machine.ts';
import { assigned, held } from './simple.ts';
import { basis, bound, canonical, change, type State, type States } from './state.ts';

interface Branches {
  readonly yes: State[];
  readonly no: State[];
}

/** The states in which a condition is true, and those in which it is false. */
function decide(machine: Machine, test: Condition, state: State, out: Out): Branches {
  switch (test.k) {
    case 'any':
      return { yes: [state], no: [state] };
    case 'constant':
      return test.value ? { yes: [state], no: [] } : { yes: [], no: [state] };
    case 'held':
      return state.env.has(test.x) ? { yes: [state], no: [] } : { yes: [], no: [state] };
    case 'filled':
      return filled(state, test.x);
    case 'fact': {
      const known = state.facts.get(test.name);
      if (known === 'unknown') return { yes: [state], no: [state] };
      if (known !== undefined) return known ? { yes: [state], no: [] } : { yes: [], no: [state] };
      const as = (value: boolean): State => ({
        ...state,
        facts: new Map(state.facts).set(test.name, value),
      });
      return { yes: [as(true)], no: [as(false)] };
    }
    case 'not': {
      const { yes, no } = decide(machine, test.of, state, out);
      return { yes: no, no: yes };
    }
    case 'both': {
      const left = decide(machine, test.left, state, out);
      const open = test.isAnd ? left.yes : left.no;
      const right = open.map((each) => decide(machine, test.right, each, out));
      const yes = right.flatMap((each) => each.yes);
      const no = right.flatMap((each) => each.no);
      return test.isAnd ? { yes, no: [...left.no, ...no] } : { yes: [...left.yes, ...yes], no };
    }
    case 'after': {
      const before = machine.run(test.body, new Map([['', state]]));
      for (const [key, each] of before.thrown) out.thrown.set(key, each);
      for (const [key, each] of before.returned) out.returned.set(key, each);
      for (const [label, states] of before.jumps) {
        const set = out.jumps.get(label) ?? new Map<string, State>();
        out.jumps.set(label, set);
        for (const [key, each] of states) set.set(key, each);
      }
      const all = [...before.normal.values()].map((each) => decide(machine, test.of, each, out));
      return { yes: all.flatMap((each) => each.yes), no: all.flatMap((each) => each.no) };
    }
  }
}

/** Whether a list has elements: of one of which that is not known, both. */
function filled(state: State, x: string): Branches {
  const id = state.env.get(x);
  const { parts, many } = (id === undefined ? undefined : state.entities.get(id)) ?? {};
  if (id === undefined || (parts === undefined && many === undefined) || many?.isDirty) {
    return { yes: [state], no: [state] };
  }
  if (parts !== undefined)
    return parts.size > 0 ? { yes: [state], no: [] } : { yes: [], no: [state] };
  const { count, hasOthers } = many!;
  if (count === '0+') {
    const some = change(state, id, { many: { ...many!, count: hasOthers ? '0+' : '1+' } });
    const none = change(state, id, { many: { ...many!, count: 0 } });
    return { yes: [some], no: [none] };
  }
  if (count !== 0) return { yes: [state], no: [] };
  return hasOthers ? { yes: [state], no: [state] } : { yes: [], no: [state] };
}

function setOf(machine: Machine, states: readonly State[], step: Step): States {
  const set: States = new Map();
  machine.putAll(set, states, step.at);
  return set;
}

/** Refusals after which a loop is not worth another round. */
const ENOUGH = 200;

/** Rounds until no new state comes; the states of `normal` are those before any round. */
export function rounds(
  machine: Machine,
  from: State,
  step: Extract<Step, { readonly body: readonly Step[] }>,
  out: Out,
  enter: (state: State) => readonly State[],
): void {
  const heads = setOf(machine, [from], step);
  let work = [...heads.values()];
  const isEnough = (): boolean => machine.isStopped || machine.refused.length >= ENOUGH;
  for (let round = 0; work.length > 0 && !isEnough(); round++) {
    if (machine.weak('loop-once') && round > 0) break;
    const start: States = new Map();
    for (const state of work) machine.putAll(start, enter(state), step.at);
    const each = machine.run(step.body, start);
    const before = new Set(heads.keys());
    machine.putAll(heads, each.normal.values(), step.at);
    machine.abrupt(each, out, step);
    work = [...heads].filter(([key]) => !before.has(key)).map(([, state]) => state);
  }
  machine.putAll(out.normal, heads.values(), step.at);
}

export const CONTROL: Pick<
  Handlers,
  'if' | 'loop' | 'block' | 'try' | 'using' | 'await' | 'awaitAll'
> = {
  if(machine, step, state, out) {
    const { yes, no } = decide(machine, step.test, state, out);
    for (const [states, body] of [
      [yes, step.then],
      [no, step.otherwise],
    ] as const) {
      const branch = machine.run(body, setOf(machine, states, step));
      machine.putAll(out.normal, branch.normal.values(), step.at);
      machine.abrupt(branch, out, step);
    }
  },
  loop(machine, step, state, out) {
    // Only a jump leaves it.
    rounds(machine, state, step, { ...out, normal: new Map() }, (each) => [each]);
  },
  block(machine, step, state, out) {
    const inner = machine.run(step.body, new Map([canonical(state)]));
    machine.putAll(out.normal, inner.normal.values(), step.at);
    machine.putAll(out.normal, inner.jumps.get(step.label)?.values() ?? [], step.at);
    inner.jumps.delete(step.label);
    machine.abrupt(inner, out, step);
  },
  try(machine, step, state, out) {
    const tried = machine.run(step.body, new Map([canonical(state)]));
    const ended = step.handler === undefined ? tried : handled(machine, tried, step.handler, step);
    if (step.finalizer === undefined) {
      machine.putAll(out.normal, ended.normal.values(), step.at);
      return machine.abrupt(ended, out, step);
    }
    finish(machine, ended, step.finalizer, step, out);
  },
  using(machine, step, state, out) {
    const id = state.env.get(step.x);
    const start = id === undefined ? state : scoped(machine, state, id, step);
    if (start === undefined) return;
    const inner = machine.run(step.body, new Map([canonical(start)]));
    const end = (each: State): State[] => scopeEnded(machine, each, step);
    machine.putAll(out.normal, [...inner.normal.values()].flatMap(end), step.at);
    machine.putAll(out.thrown, [...inner.thrown.values()].flatMap(end), step.at);
    machine.putAll(out.returned, [...inner.returned.values()].flatMap(end), step.at);
    for (const [label, states] of inner.jumps) {
      for (const each of [...states.values()].flatMap(end)) machine.jumped(out, label, each, step);
    }
  },
  await(machine, step, state, out) {
    for (const each of machine.wait(state, step)) settle(machine, step, each, out);
  },
  awaitAll(machine, step, state, out) {
    for (const each of machine.wait(state, step)) settleAll(machine, step, each, out);
  },
};

function handled(machine: Machine, tried: Out, handler: readonly Step[], step: Step): Out {
  const caught = machine.run(handler, tried.thrown);
  const all: Out = { ...noStates(), thrown: caught.thrown };
  machine.putAll(all.normal, [...tried.normal.values(), ...caught.normal.values()], step.at);
  machine.putAll(all.returned, [...tried.returned.values(), ...caught.returned.values()], step.at);
  for (const { jumps } of [tried, caught]) {
    for (const [label, states] of jumps) {
      for (const state of states.values()) machine.jumped(all, label, state, step);
    }
  }
  return all;
}

/** A finalizer after each way out: its own jump discards the result that was on its way. */
function finish(
  machine: Machine,
  ended: Out,
  finalizer: readonly Step[],
  step: Step,
  out: Out,
): void {
  const after = (from: States, isNormal: boolean, put: (state: State) => void): void => {
    if (!isNormal && machine.weak('finally-normal')) {
      for (const state of from.values()) put(state);
      return;
    }
    const last = machine.run(finalizer, from);
    for (const state of last.normal.values()) put(state);
    const dropped = ({ ...state }: State): State => bound(state, RESULT, undefined);
    machine.putAll(out.thrown, [...last.thrown.values()].map(dropped), step.at);
    machine.putAll(out.returned, last.returned.values(), step.at);
    for (const [label, states] of last.jumps) {
      for (const state of states.values()) machine.jumped(out, label, dropped(state), step);
    }
  };
  after(ended.normal, true, (state) => machine.normal(out, state, step));
  after(ended.thrown, false, (state) => machine.thrown(out, state, step));
  for (const [key, state] of ended.returned) {
    after(new Map([[key, state]]), false, (end) => {
      machine.put(out.returned, unharmed(machine, end, state, step), step.at);
    });
  }
  for (const [label, states] of ended.jumps) {
    after(states, false, (state) => machine.jumped(out, label, state, step));
  }
}

/** A finalizer may not end what is returned. */
function unharmed(machine: Machine, end: State, before: State, step: Step): State | undefined {
  const result = end.env.get(RESULT);
  const was = before.env.get(RESULT);
  if (result === undefined || was === undefined || machine.weak('result-gone')) return end;
  const isGone = (state: State, id: number): At | undefined =>
    [...basis(state, id)]
      .map((each) => state.entities.get(each)!)
      .find(({ status }) => status === 'gone')?.origin;
  const origin = isGone(end, result);
  if (origin === undefined || isGone(before, was) !== undefined) return end;
  return machine.no('escape', 'returned, and released by `finally`', step.at, origin);
}

/** A hidden place holds what a scope releases, whatever becomes of its variable. */
function scopeOf(step: Step & { readonly x: string }): string {
  return `using ${step.x} ${step.at.start}`;
}

function scoped(
  machine: Machine,
  state: State,
  id: number,
  step: Extract<Step, { k: 'using' }>,
): State | undefined {
  const entity = state.entities.get(id)!;
  if (entity.status === 'none' && !machine.matters(state, id)) return state;
  const checked = machine.consume(state, id, step.at);
  if (checked === undefined) return undefined;
  return bound(change(state, id, { status: 'scoped' }), scopeOf(step), id);
}

function scopeEnded(machine: Machine, state: State, step: Extract<Step, { k: 'using' }>): State[] {
  const id = state.env.get(scopeOf(step));
  const without = bound(bound(state, scopeOf(step), undefined), step.x, undefined);
  if (id === undefined) return [without];
  const entity = state.entities.get(id)!;
  const ended = change(without, id, { status: 'live', origin: entity.origin });
  const result = ended.env.get(RESULT);
  if (result !== undefined && restsOn(ended, result, id)) {
    machine.no('escape', 'returned out of its scope', step.at, entity.origin);
    return [];
  }
  const gone = machine.consume(ended, id, step.at);
  const states = gone === undefined ? [] : [gone];
  return step.waits ? states.flatMap((each) => machine.wait(each, step)) : states;
}

/** Whether a value is a entity, or a view of it or of what it owns. */
function restsOn(state: State, value: number, id: number): boolean {
  return [...basis(state, value)].some(
    (each) => each === id || state.entities.get(each)!.owner === id,
  );
}

/** A promise settles: what it borrowed is not borrowed any more, and what it owes is there. */
function settled(
  machine: Machine,
  state: State,
  id: number,
  isView: boolean,
  step: Step,
): { normal: [State, number | undefined][]; thrown: State | undefined } {
  const { promises, lends, needs, status } = state.entities.get(id)!;
  const ended = lends ? change(state, id, { lends: false, needs: [] }) : state;
  if (promises !== undefined && status === 'live') {
    const gone = machine.consume(ended, id, step.at);
    if (gone === undefined) return { normal: [], thrown: undefined };
    const normal: [State, number | undefined][] = [machine.fresh(gone, 'live', step.at)];
    if (promises === 'optional') normal.push([gone, undefined]);
    return { normal, thrown: gone };
  }
  const usable = machine.usable(state, id, step.at) && ended;
  if (usable === undefined) return { normal: [], thrown: undefined };
  if (!lends) return { normal: [[usable, id]], thrown: usable };
  if (!isView) return { normal: [[usable, undefined]], thrown: usable };
  const [next, view] = machine.fresh(usable, 'none', step.at, { needs });
  return { normal: [[next, view]], thrown: usable };
}

function settle(
  machine: Machine,
  step: Extract<Step, { k: 'await' }>,
  state: State,
  out: Out,
): void {
  const id = step.y === undefined ? undefined : state.env.get(step.y);
  if (id === undefined) {
    machine.normal(out, assigned(state, step.x, undefined), step);
    // Nothing is awaited, but not by its place.
    const isThere = step.y === undefined || !step.nullable;
    if (step.throws && isThere) machine.thrown(out, state, step);
    return;
  }
  const { normal, thrown } = settled(machine, state, id, step.isView, step);
  for (const [next, value] of normal) {
    machine.normal(out, assigned(next, step.x, value), step);
    const isView = value !== undefined && next.entities.get(value)!.status === 'none';
    if (isView && step.optional) machine.normal(out, assigned(next, step.x, undefined), step);
  }
  if (step.throws) machine.thrown(out, thrown, step);
}

/** All at once: the first that rejects loses the others. */
function settleAll(
  machine: Machine,
  step: Extract<Step, { k: 'awaitAll' }>,
  state: State,
  out: Out,
): void {
  const id = state.env.get(step.y);
  if (id === undefined) {
    machine.normal(out, assigned(state, step.x, undefined), step);
    return machine.thrown(out, state, step);
  }
  const { parts, isList, origin } = state.entities.get(id)!;
  if (parts === undefined) {
    if (machine.matters(state, id))
      machine.no('refused', 'promises that are not listed', step.at, origin);
    else machine.normal(out, assigned(state, step.x, undefined), step);
    return;
  }
  const without = bound(state, step.y, undefined);
  for (const promise of parts.values()) {
    if (promise === undefined) continue;
    machine.thrown(out, settled(machine, without, promise, false, step).thrown, step);
  }
  if (parts.size === 0 || held(state, [step.y]).length === 0) machine.thrown(out, without, step);
  let all: [State, Map<string, number | undefined>][] = [[state, new Map()]];
  for (const [name, promise] of parts) {
    all = all.flatMap(([each, values]) =>
      promise === undefined
        ? [[each, new Map(values).set(name, undefined)] as [State, Map<string, number | undefined>]]
        : settled(machine, each, promise, step.isView, step).normal.map(
            ([next, value]): [State, Map<string, number | undefined>] => [
              next,
              new Map(values).set(name, value),
            ],
          ),
    );
  }
  for (const [each, values] of all) {
    const [next, list] = machine.fresh(each, 'none', step.at, { parts: values, isList });
    machine.normal(out, assigned(bound(next, step.y, undefined), step.x, list), step);
  }
}
