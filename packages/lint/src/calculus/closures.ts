// The rules of calls: functions by their summary, closures where they are called, and closures that
// go elsewhere as what they are: an obligation to call them once, or a view.
import type { At, CoreFunction, Place, Result, Step, Summary } from './core.ts';
import { RESULT, type Handlers, type Machine, type Out } from './machine.ts';
import { allUsable, assigned, held, isView, viewOf } from './simple.ts';
import { ANY_NUMBER, bound, change, NO_ELEMENTS, type State, type Status } from './state.ts';

/** A call of a function or of a closure. */
type Called = Pick<Extract<Step, { k: 'call' }>, 'x' | 'at' | 'isAwaited' | 'makes'> & Step;

/** A value of a function's result, at a call. */
function instantiate(
  machine: Machine,
  state: State,
  result: Result,
  args: readonly (number | undefined)[],
  step: Step,
): [State, number | undefined] {
  switch (result.k) {
    case 'null':
      return [state, undefined];
    case 'borrowed':
      return machine.fresh(state, 'foreign', step.at);
    case 'own': {
      const { promises } = result;
      const needs = result.of.map((index) => args[index]).filter((id) => id !== undefined);
      return machine.fresh(state, 'live', step.at, { promises, needs });
    }
    case 'many':
      return machine.fresh(state, 'none', step.at, {
        many: ANY_NUMBER,
        isList: true,
      });
    case 'alias':
      return [state, args[result.of]];
    case 'view': {
      const ids = result.of.map((index) => args[index]).filter((id) => id !== undefined);
      return machine.fresh(state, 'none', step.at, { needs: ids, lends: result.lends });
    }
    case 'record': {
      let next = state;
      const parts = new Map<string, number | undefined>();
      for (const [name, part] of result.parts) {
        const [filled, id] = instantiate(machine, next, part, args, step);
        parts.set(name, id);
        next = filled;
      }
      return machine.fresh(next, 'none', step.at, { parts, isList: result.isList });
    }
  }
}

/** Arguments at a call: owned ones are gone from now on, the others must be usable. */
function passed(
  machine: Machine,
  state: State,
  args: readonly (number | undefined)[],
  summary: Pick<Summary, 'owned' | 'keeps' | 'fills' | 'passes'>,
  step: Step,
  to: { readonly status: Status; readonly owner?: number } = { status: 'gone' },
): State | undefined {
  let next: State | undefined = state;
  for (const [index, id] of args.entries()) {
    if (next === undefined) return undefined;
    if (id === undefined || summary.owned[index] !== true) continue;
    const from: State = machine.weak('same-argument')
      ? change(next, id, { status: state.entities.get(id)!.status })
      : next;
    next = emptied(machine, from, id, step) ?? machine.give(from, id, step.at, to);
  }
  for (const [index, id] of args.entries()) {
    if (next === undefined) return undefined;
    if (id === undefined || summary.owned[index] === true) continue;
    next = machine.usable(next, id, step.at);
    if (next === undefined) return undefined;
    const isStored = summary.keeps[index] === true && !machine.weak('keeps-ignored');
    if (isStored && !machine.mayOutlive(next, id, step.at)) return undefined;
    if (summary.passes[index] === true && machine.matters(next, id) && !isView(next, id)) {
      return machine.no('refused', 'the callee passes it to others', step.at, originOf(next, id));
    }
    if (summary.fills[index] === true) next = filled(machine, next, id, step);
  }
  return next;
}

function originOf(state: State, id: number): At {
  return state.entities.get(id)!.origin;
}

/** A list that the callee drains: what is left in it is unknown. */
function emptied(machine: Machine, state: State, id: number, step: Step): State | undefined {
  const { many, status, origin } = state.entities.get(id)!;
  if (many === undefined || status !== 'none') return undefined;
  if (many.isDirty) return machine.no('refused', 'the list may hold what is gone', step.at, origin);
  const next = change(state, id, { many: { ...NO_ELEMENTS, isDirty: true } });
  let left = next;
  for (const [each, { owner }] of next.entities) {
    if (owner === id) left = change(left, each, { status: 'gone', owner: undefined });
  }
  return left;
}

function filled(machine: Machine, state: State, id: number, step: Step): State | undefined {
  const { many, parts, status, origin } = state.entities.get(id)!;
  if (status === 'foreign') return state;
  if (many === undefined) {
    if (parts?.size === 0) {
      return change(state, id, { parts: undefined, many: ANY_NUMBER });
    }
    return machine.no('refused', 'the callee puts more into the list', step.at, origin);
  }
  const count = many.count === 0 || many.count === '0+' ? '0+' : '1+';
  return change(state, id, { many: { ...many, count } });
}

/** What a promise of a function's result is, before it is awaited. */
function promised(
  machine: Machine,
  state: State,
  summary: Summary,
  args: readonly (number | undefined)[],
  step: Called,
): State | undefined {
  const needs = args.filter((id, index) => id !== undefined && summary.owned[index] !== true);
  const ids = [...new Set(needs as number[])].filter((id) => machine.concerns(state, id));
  const own = summary.results.some(({ k }) => k === 'own');
  const isPlain = summary.results.every(({ k }) => k === 'own' || k === 'null');
  if (own && !isPlain) {
    return machine.no('refused', 'a promise of different entities', step.at);
  }
  if (own) {
    const optional = summary.results.some(({ k }) => k === 'null');
    const more = { promises: optional ? 'optional' : 'owned', needs: ids, lends: ids.length > 0 };
    const [next, id] = machine.fresh(state, 'live', step.at, more as object);
    return assigned(next, step.x, id);
  }
  if (summary.results.some(({ k }) => k === 'many' || k === 'record')) {
    return machine.no('refused', 'a promise of several handles', step.at);
  }
  const [next, id] = machine.fresh(state, 'none', step.at, { needs: ids, lends: true });
  return assigned(next, step.x, id);
}

function called(
  machine: Machine,
  step: Extract<Step, { k: 'call' }>,
  state: State,
  out: Out,
): void {
  const args = step.args.map((place) => state.env.get(place));
  const matters = args.some((id) => id !== undefined && machine.matters(state, id));
  const isPlain = !matters && step.makes !== 'owned';
  const outline = isPlain ? machine.functions.outline(step.f) : undefined;
  const summary = outline ?? machine.functions.summary(step.f);
  if (summary !== undefined) return applied(machine, step, state, args, summary, out);
  if (matters || step.result === 'owned' || step.result === 'optional') {
    machine.no('refused', 'the function is refused itself', step.at);
    return;
  }
  machine.thrown(out, state, step);
  machine.normal(out, assigned(state, step.x, undefined), step);
}

/** A call as a summary says. */
function applied(
  machine: Machine,
  step: Called,
  state: State,
  args: readonly (number | undefined)[],
  summary: Summary,
  out: Out,
): void {
  const lets = step.makes === undefined ? summary : { ...summary, keeps: [] };
  const after = passed(machine, state, args, lets, step);
  if (after === undefined) return;
  if (step.makes !== undefined) return created(machine, step, after, summary, args, out);
  if (summary.yields !== undefined) return generator(machine, step, after, summary, args, out);
  if (summary.isAsync && !step.isAwaited) {
    return machine.normal(out, promised(machine, after, summary, args, step), step);
  }
  for (const each of summary.waits ? machine.wait(after, step) : [after]) {
    if (summary.throws) machine.thrown(out, each, step);
    for (const result of summary.results) {
      const [next, id] = instantiate(machine, each, result, args, step);
      machine.normal(out, assigned(next, step.x, id), step);
    }
  }
}

/** A new object rests on what its constructor keeps. */
function created(
  machine: Machine,
  step: Called,
  state: State,
  { keeps, throws }: Summary,
  args: readonly (number | undefined)[],
  out: Out,
): void {
  if (throws) machine.thrown(out, state, step);
  const stored = args.filter((id, index) => id !== undefined && keeps[index] === true) as number[];
  if (step.makes === 'owned') {
    const [next, id] = machine.fresh(state, 'live', step.at, { needs: stored });
    return machine.normal(out, assigned(next, step.x, id), step);
  }
  const [next, id] = viewOf(machine, state, stored, step);
  machine.normal(out, assigned(next, step.x, id), step);
}

/** Nothing of a generator runs before its first round. */
function generator(
  machine: Machine,
  step: Called,
  state: State,
  { owned, yields }: Summary,
  args: readonly (number | undefined)[],
  out: Out,
): void {
  if (args.some((id, index) => id !== undefined && owned[index] === true)) {
    machine.no('refused', 'a generator that is never run releases nothing', step.at);
    return;
  }
  const needs = args.filter((id) => id !== undefined && machine.concerns(state, id)) as number[];
  const stream = yields === 'nothing' ? undefined : yields;
  if (stream === undefined && needs.length === 0) {
    return machine.normal(out, assigned(state, step.x, undefined), step);
  }
  const [next, id] = machine.fresh(state, 'none', step.at, { needs, stream });
  machine.normal(out, assigned(next, step.x, id), step);
}

/**
 * What a place holds, ready to go elsewhere: a closure that releases what it captured becomes an
 * obligation to call it once; one that only uses it, a view.
 */
export function handedOver(
  machine: Machine,
  state: State,
  place: Place,
  step: Step,
): [State, number | undefined] | undefined {
  const id = state.env.get(place);
  if (id === undefined) return [state, undefined];
  const { closure, parts, origin } = state.entities.get(id)!;
  if (closure === undefined) {
    return parts === undefined ? [state, id] : withClosures(machine, state, id, place, step);
  }
  const body = machine.functions.body(closure.f);
  const captured = [...(parts?.values() ?? [])];
  if (body === undefined || closure.variables.length > 0) {
    return machine.no('refused', 'a function that goes elsewhere with variables', step.at, origin);
  }
  const summary = machine.functions.summary(closure.f);
  if (summary === undefined) {
    return machine.no('refused', 'the function is refused itself', step.at, origin);
  }
  if (summary.results.some((result) => gives(machine, state, result, captured))) {
    return machine.no('refused', 'a function that gives a handle goes elsewhere', step.at, origin);
  }
  const facts = new Map(state.facts);
  for (const flag of body.flags) facts.set(flag, 'unknown');
  const [reserved, owner] = machine.fresh({ ...state, facts }, 'none', step.at);
  const inside = { status: 'inside', owner } as const;
  const after = passed(machine, reserved, captured, summary, step, inside);
  if (after === undefined) return undefined;
  const needs = captured.filter((each, index) => each !== undefined && !summary.owned[index]);
  const ids = (needs as number[]).filter((each) => machine.concerns(state, each));
  const isOwner = captured.some((each, index) => each !== undefined && summary.owned[index]);
  if (!isOwner && ids.length === 0) return [bound(after, place, undefined), undefined];
  if (!isOwner) {
    const [next, view] = viewOf(machine, after, ids, step);
    return [bound(next, place, view), view];
  }
  const owed = change(after, owner, { status: 'live', needs: ids });
  machine.options.onHandle?.(step.at);
  return [bound(owed, place, owner), owner];
}

/** The closures in an object go with it. */
function withClosures(
  machine: Machine,
  state: State,
  id: number,
  place: Place,
  step: Step,
): [State, number | undefined] | undefined {
  let next = state;
  const within = `${place} in`;
  for (const [name, part] of state.entities.get(id)!.parts ?? []) {
    if (part === undefined) continue;
    const passedOn = handedOver(machine, bound(next, within, part), within, step);
    if (passedOn === undefined) return undefined;
    const [after, value] = passedOn;
    const parts = new Map(after.entities.get(id)!.parts).set(name, value);
    next = change(bound(after, within, undefined), id, { parts });
  }
  return [next, id];
}

/** Whether a result has something to release in it, or something without a known owner. */
function gives(
  machine: Machine,
  state: State,
  result: Result,
  captured: readonly (number | undefined)[],
): boolean {
  if (result.k === 'record') {
    return result.parts.some(([, part]) => gives(machine, state, part, captured));
  }
  if (result.k === 'alias') {
    const id = captured[result.of];
    return id !== undefined && machine.matters(state, id);
  }
  return result.k === 'own' || result.k === 'many';
}

/** A closure that holds nothing, and gets nothing that matters, is called by its outline. */
function outlined(
  machine: Machine,
  step: Extract<Step, { k: 'invoke' }>,
  state: State,
  id: number,
  { flags }: CoreFunction,
  out: Out,
): boolean {
  const { closure, parts } = state.entities.get(id)!;
  const { f, variables } = closure!;
  const places = [...variables, ...step.args];
  const args = [...(parts?.values() ?? []), ...step.args.map((place) => state.env.get(place))];
  const ids = [...args, ...held(state, places)].filter((each) => each !== undefined);
  if (ids.some((each) => machine.matters(state, each))) return false;
  if (variables.length > 0 && ids.some((each) => machine.concerns(state, each))) return false;
  const outline = flags.length > 0 ? undefined : machine.functions.outline(f);
  if (outline === undefined) return false;
  applied(machine, { ...step, makes: undefined }, state, args, outline, out);
  return true;
}

/** A closure runs where it is called, with what it captured. */
function inlined(
  machine: Machine,
  step: Extract<Step, { k: 'invoke' }>,
  state: State,
  id: number,
  out: Out,
): void {
  const { closure, parts } = state.entities.get(id)!;
  const body = machine.functions.body(closure!.f);
  if (body === undefined || body.isGenerator || (body.isAsync && !step.isAwaited)) {
    machine.no('refused', 'a function that is not followed here', step.at);
    return;
  }
  if (outlined(machine, step, state, id, body, out)) return;
  const depth = `^${machine.depth}`;
  let next = state;
  const saved: Place[] = [RESULT];
  const enter = (place: Place, value: number | undefined): void => {
    const before = next.env.get(place);
    if (before === value && place !== RESULT) return;
    if (place !== RESULT) saved.push(place);
    next = bound(bound(next, place + depth, before), place, value);
  };
  enter(RESULT, undefined);
  for (const [place, value] of parts ?? []) enter(place, value);
  for (const [index, { place }] of body.parameters.slice(parts?.size ?? 0).entries()) {
    const arg = step.args[index];
    enter(place, arg === undefined ? undefined : state.env.get(arg));
  }
  const leave = (from: State, x: Place | undefined): State => {
    let left = from;
    const value = from.env.get(RESULT);
    for (const place of body.locals) left = bound(left, place, undefined);
    for (const place of saved) {
      left = bound(bound(left, place, from.env.get(place + depth)), place + depth, undefined);
    }
    return x === undefined ? left : assigned(left, x, value);
  };
  machine.nested(step, () => {
    const mark = machine.refused.length;
    const ended = machine.run(body.body, new Map([['', next]]));
    for (const each of [...ended.normal.values(), ...ended.returned.values()]) {
      machine.normal(out, leave(each, step.x), step);
    }
    for (const each of ended.thrown.values()) machine.thrown(out, leave(each, undefined), step);
    // What is wrong inside is wrong of this call.
    const inside = machine.refused.splice(mark).map((refusal) => ({ ...refusal, at: step.at }));
    machine.refused.push(...inside);
  });
}

/** A function value from outside: its type says what it owns. */
function foreign(
  machine: Machine,
  step: Extract<Step, { k: 'invoke' }>,
  state: State,
  out: Out,
): void {
  let next: State | undefined = state;
  for (const [index, place] of step.args.entries()) {
    if (next === undefined) return;
    const id: number | undefined = next.env.get(place);
    if (id === undefined) continue;
    const owned = step.owned?.[index];
    if (owned === true) next = machine.give(next, id, step.at);
    else if (owned === false || !machine.matters(next, id) || isView(next, id)) {
      next = machine.usable(next, id, step.at);
    } else {
      machine.no('refused', 'who owns it afterwards', step.at, next.entities.get(id)!.origin);
      return;
    }
  }
  if (next === undefined) return;
  if (step.throws) machine.thrown(out, next, step);
  const views = held(next, step.args).filter((id) => machine.concerns(state, id));
  passedOn(machine, step, next, views, out);
}

function passedOn(
  machine: Machine,
  step: Extract<Step, { k: 'invoke' }>,
  state: State,
  views: readonly number[],
  out: Out,
): void {
  const { result, x } = step;
  if (result === 'nothing' || result === 'view') {
    if (result === 'nothing') return machine.normal(out, assigned(state, x, undefined), step);
    const [next, id] = machine.fresh(state, 'none', step.at, { needs: views });
    return machine.normal(out, assigned(next, x, id), step);
  }
  const [next, id] = machine.fresh(state, 'live', step.at);
  machine.normal(out, assigned(next, x, id), step);
  if (result === 'optional') machine.normal(out, assigned(state, x, undefined), step);
}

export const CLOSURES: Pick<Handlers, 'call' | 'closure' | 'invoke' | 'give'> = {
  call: called,
  closure(machine, step, state, out) {
    const parts = new Map(step.values.map((place) => [place, state.env.get(place)]));
    const closure = { f: step.f, variables: step.variables };
    const [next, id] = machine.fresh(state, 'none', step.at, { parts, closure });
    machine.normal(out, assigned(next, step.x, id), step);
  },
  invoke(machine, step, state, out) {
    const id = state.env.get(step.f);
    if (id === undefined) return foreign(machine, step, state, out);
    const { closure, status } = state.entities.get(id)!;
    if (closure !== undefined) return inlined(machine, step, state, id, out);
    if (status === 'none' || status === 'foreign') {
      const usable = allUsable(machine, state, [id], step);
      if (usable === undefined) return;
      return foreign(machine, step, usable, out);
    }
    // A function that owes its call.
    const gone = machine.weak('closure-twice') ? state : machine.consume(state, id, step.at);
    if (gone === undefined) return;
    machine.thrown(out, gone, step);
    machine.normal(out, assigned(gone, step.x, undefined), step);
  },
  give(machine, step, state, out) {
    const passedOn = handedOver(machine, state, step.y, step);
    if (passedOn === undefined) return;
    const [next, id] = passedOn;
    if (id === undefined) return machine.normal(out, next, step);
    const { status, origin } = next.entities.get(id)!;
    if (!step.isOnce && status === 'live') {
      machine.no('refused', 'it is unknown how often it is called', step.at, origin);
      return;
    }
    // It runs when its handle is gone.
    if (isView(next, id) && !machine.mayOutlive(next, id, step.at, 'use-after-release')) return;
    machine.normal(out, machine.give(next, id, step.at), step);
  },
};
