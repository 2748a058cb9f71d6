// States of the calculus: which place holds what, who owes its release, and what is known of flags.
import type { At, Place } from './core.ts';

/**
 * Live: owed here. Gone: released or moved. Foreign: an owner outside releases it. Scoped: a scope
 * does. Inside: its container owes it. Maybe: some of those that left a container, unknown which.
 * None: nothing of its own to release: views, lists, closures.
 */
export type Status = 'live' | 'gone' | 'foreign' | 'scoped' | 'inside' | 'maybe' | 'none';

export type Count = 0 | 1 | '2+' | '1+' | '0+';

/** The elements of a container that are not looked at one by one. */
export interface Many {
  readonly count: Count;
  /** Elements that are gone may still be in it. */
  readonly isDirty: boolean;
  /** There may be elements beside them that hold nothing. */
  readonly hasOthers: boolean;
  /** Every key was a value of this variable; `isNew`: it has another value now. */
  readonly keyed: { readonly x: Place; readonly isNew: boolean } | undefined;
}

export interface Closure {
  readonly f: unknown;
  /** Places of variables that it shares with the function around it. */
  readonly variables: readonly Place[];
}

export interface Entity {
  readonly status: Status;
  /** The container that owes it. */
  readonly owner: number | undefined;
  /** The parameter that it came with. */
  readonly parameter: number | undefined;
  /** What a view needs. */
  readonly needs: readonly number[];
  /** A promise of work on what it needs. */
  readonly lends: boolean;
  /** A promise of a handle that is owed, or of none. */
  readonly promises: 'owned' | 'optional' | undefined;
  /** What has to be released after it. */
  readonly before: readonly number[];
  /** The parts of an object or of a list: `undefined` is nothing. */
  readonly parts: ReadonlyMap<string, number | undefined> | undefined;
  readonly isList: boolean;
  readonly many: Many | undefined;
  readonly closure: Closure | undefined;
  /** A generator: each round owns what it gets, or has it until the next one. */
  readonly stream: 'own' | 'view' | undefined;
  readonly origin: At;
}

export interface State {
  /** What a place without an entry holds is nothing. */
  readonly env: ReadonlyMap<Place, number>;
  readonly entities: ReadonlyMap<number, Entity>;
  /** `unknown`: assigned out of sight. */
  readonly facts: ReadonlyMap<string, boolean | 'unknown'>;
}

/** Nothing in it that matters. */
export const NO_ELEMENTS: Many = { count: 0, isDirty: false, hasOthers: false, keyed: undefined };

/** A list about which only its type is known. */
export const ANY_NUMBER: Many = {
  count: '0+',
  isDirty: false,
  hasOthers: false,
  keyed: undefined,
};

export type States = Map<string, State>;

export const EMPTY: State = { env: new Map(), entities: new Map(), facts: new Map() };

/** A entity with defaults for what is not said. */
export function makeEntity(entity: Pick<Entity, 'status' | 'origin'> & Partial<Entity>): Entity {
  return {
    owner: undefined,
    parameter: undefined,
    needs: [],
    lends: false,
    promises: undefined,
    before: [],
    parts: undefined,
    isList: false,
    many: undefined,
    closure: undefined,
    stream: undefined,
    ...entity,
  };
}

/** The places in an order of their own, which does not depend on the order of assignments. */
function sortedPlaces(env: ReadonlyMap<Place, number>): [Place, number][] {
  return [...env].sort(([a], [b]) => (a < b ? -1 : 1));
}

class Renaming {
  readonly ids = new Map<number, number>();
  readonly entities = new Map<number, Entity>();
  readonly #from: ReadonlyMap<number, Entity>;

  constructor(from: ReadonlyMap<number, Entity>) {
    this.#from = from;
  }

  of(id: number): number {
    const known = this.ids.get(id);
    if (known !== undefined) return known;
    const next = this.ids.size;
    this.ids.set(id, next);
    const entity = this.#from.get(id)!;
    const parts =
      entity.parts &&
      new Map(
        [...entity.parts].map(([name, part]) => [
          name,
          part === undefined ? undefined : this.of(part),
        ]),
      );
    this.entities.set(next, {
      ...entity,
      owner: entity.owner === undefined ? undefined : this.of(entity.owner),
      needs: entity.needs.map((need) => this.of(need)),
      before: entity.before.map((later) => this.of(later)),
      parts,
    });
    return next;
  }
}

const FUNCTIONS = new Map<unknown, number>();

function numberOf(f: unknown): number {
  const known = FUNCTIONS.get(f) ?? FUNCTIONS.size;
  FUNCTIONS.set(f, known);
  return known;
}

function keyOf(entity: Entity): unknown {
  const { status, owner, parameter, needs, lends, promises, before, parts, isList, many } = entity;
  const { closure, stream } = entity;
  return [
    status,
    owner ?? -1,
    parameter ?? -1,
    needs,
    lends,
    promises,
    before,
    parts && [...parts].map(([name, part]) => [name, part ?? -1]),
    isList,
    many && [many.count, many.isDirty, many.hasOthers, many.keyed],
    closure && [numberOf(closure.f), closure.variables],
    stream,
  ];
}

/** The keys of states that are canonical: most operations leave most states as they are. */
const KEYS = new WeakMap<State, string>();

/** The key of a state that is canonical. */
export function keyOfCanonical(state: State): string | undefined {
  return KEYS.get(state);
}

/**
 * The same state with entities numbered by the places that hold them, and its key; what nothing
 * refers to is forgotten.
 */
export function canonical({ env, entities, facts }: State): [string, State] {
  const renaming = new Renaming(entities);
  const places = sortedPlaces(env).map(([place, id]): [Place, number] => [place, renaming.of(id)]);
  const known = [...facts].sort(([a], [b]) => (a < b ? -1 : 1));
  const stored = [...renaming.entities].sort(([a], [b]) => a - b);
  const key = JSON.stringify([places, stored.map(([, entity]) => keyOf(entity)), known]);
  const state = { env: new Map(places), entities: new Map(stored), facts: new Map(known) };
  KEYS.set(state, key);
  return [key, state];
}

/** The state with one entity changed. */
export function change(state: State, id: number, to: Partial<Entity>): State {
  const entity = state.entities.get(id)!;
  return { ...state, entities: new Map(state.entities).set(id, { ...entity, ...to }) };
}

/** The state with a place bound. */
export function bound(state: State, place: Place, id: number | undefined): State {
  const env = new Map(state.env);
  if (id === undefined) env.delete(place);
  else env.set(place, id);
  return { ...state, env };
}

/** The state with a new entity, and its number. */
export function added(state: State, entity: Entity): [State, number] {
  let id = state.entities.size;
  while (state.entities.has(id)) id++;
  return [{ ...state, entities: new Map(state.entities).set(id, entity) }, id];
}

/** Everything that places and parts of what they hold lead to; views and owners do not hold. */
export function heldIn(state: State): Set<number> {
  const held = new Set<number>();
  const hold = (id: number | undefined): void => {
    if (id === undefined || held.has(id)) return;
    held.add(id);
    const { parts } = state.entities.get(id)!;
    if (parts !== undefined) for (const part of parts.values()) hold(part);
  };
  for (const id of state.env.values()) hold(id);
  return held;
}

/** A entity and everything that it needs or consists of. */
export function basis(state: State, id: number, into = new Set<number>()): Set<number> {
  if (into.has(id)) return into;
  into.add(id);
  const { needs, parts } = state.entities.get(id)!;
  for (const need of needs) basis(state, need, into);
  if (parts !== undefined)
    for (const part of parts.values()) if (part !== undefined) basis(state, part, into);
  return into;
}

/** What a entity consists of: itself and its parts. */
export function wholeOf(state: State, id: number, into = new Set<number>()): Set<number> {
  if (into.has(id)) return into;
  into.add(id);
  const { parts } = state.entities.get(id)!;
  if (parts !== undefined)
    for (const part of parts.values()) if (part !== undefined) wholeOf(state, part, into);
  return into;
}

/** The number of elements after one more. */
export function oneMore(count: Count): Count {
  return ({ 0: 1, 1: '2+', '2+': '2+', '1+': '2+', '0+': '1+' } as const)[count];
}

/** The number of elements after one less. */
export function oneLess(count: Count): Count {
  return ({ 0: 0, 1: 0, '2+': '1+', '1+': '0+', '0+': '0+' } as const)[count];
}
