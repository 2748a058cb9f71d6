// A function, with a choice of who owns what it is called with: what is refused, and what callers
// may rely on otherwise.
import { handedOver } from './closures.ts';
import type { At, CoreFunction, Result, Summary } from './core.ts';
import { HANDLERS } from './execute.ts';
import { Machine, RESULT, type Functions, type Out } from './machine.ts';
import type { Refusal, RuleOptions } from './rules.ts';
import {
  ANY_NUMBER,
  basis,
  bound,
  canonical,
  EMPTY,
  makeEntity,
  added,
  type State,
  type States,
} from './state.ts';

/** Who owns what. */
export interface Choice {
  readonly owned: readonly boolean[];
  readonly yields: 'borrowed' | 'passedOn';
}

export interface Judged {
  readonly refused: readonly Refusal[];
  readonly summary: Summary;
  readonly states: number;
}

/** The states in which a function may be called. */
function entries(fn: CoreFunction, { owned }: Choice): States {
  let states: State[] = [EMPTY];
  const { at: origin } = fn;
  for (const [index, { place, holds }] of fn.parameters.entries()) {
    const mine = owned[index] === true;
    states = states.flatMap((state) => {
      if (holds === 'plain' || holds === 'open') {
        const [next, id] = added(state, makeEntity({ status: 'none', parameter: index, origin }));
        return [bound(next, place, id)];
      }
      const many = holds === 'many' && mine ? ANY_NUMBER : undefined;
      const status = !mine ? 'foreign' : holds === 'many' ? 'none' : 'live';
      const parameter = mine ? undefined : index;
      const [next, id] = added(state, makeEntity({ status, many, parameter, origin }));
      return holds === 'many' ? [bound(next, place, id)] : [state, bound(next, place, id)];
    });
  }
  for (const { place, holds, nullable } of fn.startsObject ? [] : fn.fields) {
    states = states.flatMap((state) => {
      const many = holds === 'many' ? ANY_NUMBER : undefined;
      const status = holds === 'many' ? 'none' : 'live';
      const [next, id] = added(state, makeEntity({ status, many, origin }));
      const filled = bound(next, place, id);
      return nullable && holds === 'handle' ? [state, filled] : [filled];
    });
  }
  return new Map(states.map(canonical));
}

/** Judges a function that is called with this choice. */
export function judge(
  fn: CoreFunction,
  choice: Choice,
  functions: Functions,
  options: RuleOptions,
): Judged {
  const machine = new Machine(fn, functions, HANDLERS, options);
  machine.yields = choice.yields;
  const out = machine.run(fn.body, entries(fn, choice));
  const results = new Map<string, Result>();
  const ends = [...ended(out)];
  for (const [how, state] of ends) exit(machine, fn, how, state, results);
  for (const label of out.jumps.keys()) machine.no('refused', `no place for ${label}`, fn.at);
  const all = fn.parameters.map((_, index) => index);
  const summary: Summary = {
    owned: choice.owned,
    keeps: all.map((index) => machine.keeps.has(index)),
    fills: all.map((index) => machine.fills.has(index)),
    passes: all.map((index) => machine.passes.has(index)),
    results: [...results.values()],
    throws: out.thrown.size > 0,
    waits: machine.waits,
    isAsync: fn.isAsync,
    yields: fn.isGenerator ? machine.yielded : undefined,
  };
  return { refused: machine.refused, summary, states: machine.states };
}

type Ending = 'normal' | 'thrown' | 'returned';

function* ended(out: Out): Generator<[Ending, State]> {
  for (const state of out.normal.values()) yield ['normal', state];
  for (const state of out.thrown.values()) yield ['thrown', state];
  for (const state of out.returned.values()) yield ['returned', state];
}

/** What is left at the end: the result, and the parts of the object. */
function exit(
  machine: Machine,
  fn: CoreFunction,
  how: Ending,
  state: State,
  results: Map<string, Result>,
): void {
  const { at } = fn;
  const step = { k: 'return', y: RESULT, at } as const;
  const fields = new Set(fn.fields.map(({ place }) => place));
  // A closure is handed over as what it is, while what it captured is still there.
  const passedOn =
    how === 'returned' ? handedOver(machine, state, RESULT, step) : ([state] as const);
  if (passedOn === undefined) return;
  const stored = [...passedOn[0].env].filter(
    ([place]) => fields.has(place) || (how === 'returned' && place === RESULT),
  );
  const left = { ...passedOn[0], env: new Map(stored) };
  if (machine.collect(left, at) === undefined) return;
  for (const { place, holds } of fn.fields) field(machine, fn, left, place, holds, how);
  if (how === 'thrown') return;
  const id = left.env.get(RESULT);
  if (fn.isGenerator) return id === undefined ? undefined : unused(machine, left, id, at);
  const shapes = id === undefined ? [NOTHING] : resultOf(machine, fn, left, id);
  for (const shape of shapes) results.set(JSON.stringify(shape), shape);
}

const NOTHING: Result = { k: 'null' };

/** The value of a generator's `return` is lost. */
function unused(machine: Machine, state: State, id: number, at: At): void {
  if (machine.matters(state, id)) {
    machine.no('refused', 'what a generator returns is lost', at, state.entities.get(id)!.origin);
  }
}

/** A part of the object at the end: owned or nothing; gone only if the object ends. */
function field(
  machine: Machine,
  fn: CoreFunction,
  state: State,
  place: string,
  holds: 'handle' | 'many',
  how: Ending,
): void {
  const id = state.env.get(place);
  if (id === undefined) return;
  const { status, origin } = state.entities.get(id)!;
  const ends = fn.endsObject || (fn.startsObject && how === 'thrown');
  if (holds === 'many') return listField(machine, fn, state, id, ends);
  if (ends && status === 'live') machine.no('leak', 'a field is not released', fn.at, origin);
  const isRight = status === 'live' || (ends && status === 'gone');
  if (!isRight && !machine.weak('dead-field')) {
    machine.no('refused', 'a field holds what it does not own', fn.at, origin);
  }
}

/** A list of the object: what is in it is owned, or nothing is. */
function listField(
  machine: Machine,
  fn: CoreFunction,
  state: State,
  id: number,
  ends: boolean,
): void {
  const { status, many, parts, origin, needs } = state.entities.get(id)!;
  const inner = [...(parts?.values() ?? [])].map(
    (part) => part && state.entities.get(part)!.status,
  );
  const isOpen = inner.includes('live') || (many !== undefined && many.count !== 0);
  if (ends && isOpen) machine.no('leak', 'elements of a field', fn.at, origin);
  const isDead = many?.isDirty === true || inner.some((each) => each && each !== 'live');
  const isOther = status !== 'none' || needs.length > 0;
  if (!machine.weak('dead-field') && ((!ends && isDead) || isOther)) {
    machine.no('refused', 'a field holds what it does not own', fn.at, origin);
  }
}

/** The results for callers of a value. */
function resultOf(machine: Machine, fn: CoreFunction, state: State, id: number): Result[] {
  const { promises, status } = state.entities.get(id)!;
  if (fn.isAsync && status === 'live' && promises !== undefined) {
    const own: Result = { k: 'own', promises: undefined, of: [] };
    return promises === 'optional' ? [own, NOTHING] : [own];
  }
  if (isShared(state, id)) {
    const { origin } = state.entities.get(id)!;
    machine.no('refused', 'one handle is in a result twice', fn.at, origin);
    return [];
  }
  const shape = shapeOf(machine, fn, state, id);
  return shape === undefined ? [] : [shape];
}

/** Whether something in an object is there more than once: callers would see two. */
function isShared(state: State, id: number, seen = new Set<number>()): boolean {
  if (seen.has(id)) return true;
  seen.add(id);
  const { parts } = state.entities.get(id)!;
  return [...(parts?.values() ?? [])].some(
    (part) => part !== undefined && isShared(state, part, seen),
  );
}

function shapeOf(machine: Machine, fn: CoreFunction, state: State, id: number): Result | undefined {
  const { status, parameter, parts, many, isList, promises, origin, lends, closure } =
    state.entities.get(id)!;
  const { at } = fn;
  if (isOfField(fn, state, id)) return { k: 'view', of: [0], lends: false };
  if (status === 'live') return { k: 'own', promises, of: needed(machine, fn, state, id) ?? [] };
  if (status === 'foreign')
    return parameter === undefined ? BORROWED : { k: 'alias', of: parameter };
  if (status === 'gone') {
    if (machine.weak('result-gone')) return NOTHING;
    return machine.no('use-after-release', 'returned after its release', at, origin);
  }
  if (status !== 'none') return machine.no('escape', 'returned from inside', at, origin);
  if (parameter !== undefined) return { k: 'alias', of: parameter };
  if (closure !== undefined) return machine.no('refused', 'a function in a result', at, origin);
  if (parts !== undefined) {
    const shapes = [...parts].map(([name, part]): [string, Result | undefined] => [
      name,
      part === undefined ? NOTHING : shapeOf(machine, fn, state, part),
    ]);
    if (shapes.some(([, shape]) => shape === undefined)) return undefined;
    return { k: 'record', parts: shapes as [string, Result][], isList };
  }
  if (many?.isDirty === true) return machine.no('refused', 'a list with what is gone', at, origin);
  if (many !== undefined) return { k: 'many' };
  const of = needed(machine, fn, state, id);
  return of && { k: 'view', of, lends };
}

const BORROWED: Result = { k: 'borrowed' };

function isOfField({ fields, isMethod }: CoreFunction, { env }: State, id: number): boolean {
  return isMethod && fields.some(({ place }) => env.get(place) === id);
}

/** The parameters that a view rests on; nothing of the function itself. */
function needed(
  machine: Machine,
  fn: CoreFunction,
  state: State,
  id: number,
): number[] | undefined {
  const of = new Set<number>();
  for (const each of basis(state, id)) {
    const { status, parameter, origin, many } = state.entities.get(each)!;
    if (each === id && status === 'live') continue;
    if (parameter !== undefined) of.add(parameter);
    else if (isOfField(fn, state, each)) of.add(0);
    else if (status === 'gone') {
      if (machine.weak('result-gone')) continue;
      return machine.no('use-after-release', 'returned after its release', fn.at, origin);
    } else if (status !== 'none' && status !== 'foreign') {
      return machine.no('escape', 'a view is returned without its handle', fn.at, origin);
    } else if (many !== undefined && many.count !== 0 && each !== id) {
      return machine.no('escape', 'a view is returned without its list', fn.at, origin);
    }
  }
  return [...of].sort();
}
