// The premises of the calculus: what may be consumed, used and lost. A premise that fails refuses.
import type { At, Place } from './core.ts';
import {
  added,
  basis,
  bound,
  canonical,
  change,
  heldIn,
  keyOfCanonical,
  makeEntity,
  wholeOf,
  type State,
  type States,
  type Status,
  type Entity,
} from './state.ts';
import type { Weakened } from './weaken.ts';

/** What is wrong, or not known to be right. */
export type Wrong =
  | 'leak'
  | 'double-release'
  | 'use-after-release'
  | 'escape'
  | 'order'
  | 'refused'
  | 'bound';

export interface Refusal {
  readonly wrong: Wrong;
  readonly why: string;
  readonly at: At;
  /** Where the handle comes from. */
  readonly origin: At | undefined;
}

export interface RuleOptions {
  /** The most situations at one place of a function. */
  readonly cap: number;
  /** The most situations in all of a function, with one choice of owners. */
  readonly total: number;
  readonly weakened: Weakened;
  /** Called with the place of each handle that is owed. */
  readonly onHandle?: (at: At) => void;
}

/** Which element of a long list leaves it is unknown, and so is what goes before it. */
export const ORDER_IN_LIST = 'one of a long list has to be released in an order';

/** Whether an entity is one of many that are not looked at one by one. */
export function isOfMany({ status }: Entity): boolean {
  return status === 'inside' || status === 'maybe';
}

export class Rules {
  readonly refused: Refusal[] = [];
  /** Parameters that the function keeps. */
  readonly keeps = new Set<number>();
  /** Lists of parameters that the function puts something into. */
  readonly fills = new Set<number>();
  /** Parameters that it passes to unknown code. */
  readonly passes = new Set<number>();
  readonly options: RuleOptions;
  states = 0;
  /** The function has too many situations to go on with it. */
  isStopped = false;

  constructor(options: RuleOptions) {
    this.options = options;
  }

  weak(rule: Weakened): boolean {
    return this.options.weakened === rule;
  }

  no(wrong: Wrong, why: string, at: At, origin?: At): undefined {
    this.refused.push({ wrong, why, at, origin });
    return undefined;
  }

  put(set: States, state: State | undefined, at: At): void {
    if (state === undefined) return;
    const known = keyOfCanonical(state);
    if (known === undefined) {
      const left = this.collect(state, at);
      if (left === undefined) return;
      set.set(...canonical(left));
    } else set.set(known, state);
    this.states++;
    if (set.size > this.options.cap) {
      this.no('bound', 'too many situations', at);
      set.clear();
    }
    if (this.states > this.options.total && !this.isStopped) {
      this.no('bound', 'too many situations', at);
      this.isStopped = true;
    }
  }

  putAll(set: States, from: Iterable<State>, at: At): void {
    for (const state of from) this.put(set, state, at);
  }

  /** What no place holds any more can't be released: a live handle, a filled list, a promise. */
  collect(state: State, at: At): State | undefined {
    const held = heldIn(state);
    for (const [id, entity] of state.entities) {
      if (held.has(id)) continue;
      if (!this.#mayGo(state, id, entity, at)) return undefined;
    }
    return state;
  }

  #mayGo(state: State, id: number, entity: Entity, at: At): boolean {
    if (entity.status === 'live' && !this.weak('overwrite')) {
      this.no('leak', 'lost', at, entity.origin);
      return false;
    }
    const isFilled = entity.many !== undefined && entity.many.count !== 0;
    if (isFilled && entity.status === 'none' && !this.weak('array-dropped')) {
      this.no('leak', 'elements', at, entity.origin);
      return false;
    }
    return !entity.lends || this.mayStayPending(state, id, at);
  }

  /** A promise that is never awaited may use what parameters lend, and nothing else. */
  mayStayPending(state: State, id: number, at: At): boolean {
    if (this.weak('no-lend')) return true;
    for (const each of basis(state, id)) {
      const entity = state.entities.get(each)!;
      if (entity.parameter !== undefined) this.keeps.add(entity.parameter);
      if (entity.status !== 'none') {
        this.no('use-after-release', 'never awaited', at, entity.origin);
        return false;
      }
    }
    return true;
  }

  assign(state: State, x: Place, id: number | undefined): State {
    return bound(state, x, id);
  }

  fresh(state: State, status: Status, origin: At, more: Partial<Entity> = {}): [State, number] {
    if (status === 'live') this.options.onHandle?.(origin);
    return added(state, makeEntity({ ...more, status, origin }));
  }

  /** Whether a promise lends a entity or an element of it. */
  isPending(state: State, id: number): boolean {
    if (this.weak('no-lend')) return false;
    for (const [promise, entity] of state.entities) {
      if (!entity.lends) continue;
      for (const each of basis(state, promise)) {
        if (each === promise) continue;
        if (each === id || state.entities.get(each)!.owner === id) return true;
      }
    }
    return false;
  }

  /** The rule of every operation that consumes: owed here, used by no promise or dependent. */
  consume(
    state: State,
    id: number,
    at: At,
    to: { readonly status: Status; readonly owner?: number } = { status: 'gone' },
  ): State | undefined {
    const entity = state.entities.get(id)!;
    if (entity.status !== 'live') return this.#notMine(entity, at);
    if (this.isPending(state, id)) {
      return this.no('use-after-release', 'released while a promise uses it', at, entity.origin);
    }
    if (!this.weak('before-ignored')) {
      for (const other of state.entities.values()) {
        if (other.status === 'live' && other.before.includes(id)) {
          // What depends on it is still there: it may be lost, too.
          this.no('order', 'released before what depends on it', at, other.origin);
        }
      }
    }
    const isTied = entity.before.some((each) => state.entities.get(each)!.status !== 'gone');
    if (to.status === 'inside' && isTied) {
      return this.no('refused', ORDER_IN_LIST, at, entity.origin);
    }
    let next = change(state, id, { status: to.status, owner: to.owner });
    if (to.status === 'inside') return next;
    // What it owns ends with it: elements of a stack, what a closure releases.
    for (const [each, inner] of next.entities) {
      if (inner.owner === id && inner.status === 'inside') next = change(next, each, ENDED);
    }
    return next;
  }

  #notMine({ status, origin }: Entity, at: At): undefined {
    switch (status) {
      case 'gone':
        return this.no('double-release', 'released again', at, origin);
      case 'scoped':
        return this.no('escape', 'its scope releases it', at, origin);
      case 'maybe':
        return this.no('refused', 'it may be an element that is gone', at, origin);
      case 'foreign':
        return this.no('double-release', 'another owner releases it', at, origin);
      default:
        return this.no('refused', 'not known to be owned here', at, origin);
    }
  }

  /** Consumes a value with all its parts: it goes to another owner. */
  give(
    state: State,
    id: number,
    at: At,
    to: { readonly status: Status; readonly owner?: number } = { status: 'gone' },
  ): State | undefined {
    let next: State | undefined = state;
    for (const each of wholeOf(state, id)) {
      const entity = next?.entities.get(each);
      if (next === undefined || entity === undefined) return undefined;
      if (entity.closure !== undefined) {
        return this.no('refused', 'a function in it goes to another owner', at, entity.origin);
      }
      if (entity.status === 'none' && entity.many?.count !== undefined && entity.many.count !== 0) {
        return this.no('refused', 'a filled list goes to another owner', at, entity.origin);
      }
      if (entity.status === 'none') {
        const isView = entity.needs.length > 0 || entity.parameter !== undefined;
        if (isView && !this.mayOutlive(next, each, at)) return undefined;
        continue;
      }
      next = this.consume(next, each, at, to);
    }
    return next;
  }

  /** A view goes where its end is out of sight: it may only rest on what is borrowed. */
  mayOutlive(state: State, id: number, at: At, wrong: Wrong = 'escape'): boolean {
    for (const each of basis(state, id)) {
      const entity = state.entities.get(each)!;
      if (entity.parameter !== undefined) this.keeps.add(entity.parameter);
      if (entity.status === 'none' || entity.status === 'foreign') continue;
      this.no(wrong, 'a view is stored beyond its handle', at, entity.origin);
      return false;
    }
    return true;
  }

  /** Whether anything in a value is owed here, or rests on what is. */
  matters(state: State, id: number): boolean {
    for (const each of basis(state, id)) {
      const { status, many, closure } = state.entities.get(each)!;
      if (status !== 'none' || (many !== undefined && many.count !== 0)) return true;
      if (closure !== undefined && closure.variables.length > 0) return true;
    }
    return false;
  }

  /** Whether callers could care: it matters, or comes from a parameter. */
  concerns(state: State, id: number): boolean {
    if (this.matters(state, id)) return true;
    return [...basis(state, id)].some((each) => state.entities.get(each)!.parameter !== undefined);
  }

  /** Neither it, nor what it needs or consists of, is gone. */
  usable(state: State, id: number, at: At): State | undefined {
    const root = state.entities.get(id)!;
    const isView = root.needs.length > 0;
    if (isView && this.weak('view-outlives')) return state;
    for (const each of basis(state, id)) {
      const { status, origin, many } = ownerOf(state, state.entities.get(each)!);
      if (status === 'gone') return this.no('use-after-release', 'used after', at, origin);
      if (status === 'maybe' || (many?.isDirty === true && !this.weak('dead-element'))) {
        return this.no('refused', 'it may be an element that is gone', at, origin);
      }
    }
    return state;
  }
}

/** What ends a entity: its owner, if something else owes its release. */
function ownerOf(state: State, entity: Entity): Entity {
  const owner = entity.owner === undefined ? undefined : state.entities.get(entity.owner);
  const ends = entity.status === 'inside' && owner !== undefined && owner.status !== 'none';
  return ends ? ownerOf(state, owner) : entity;
}

const ENDED = { status: 'gone', owner: undefined } as const;
