// The premises of the calculus: what may be consumed, used and lost. A premise that fails refuses.
import type { At, Place } from './core.ts';
import {
  added,
  basis,
  bound,
  canonical,
  change,
  heldIn,
  makeThing,
  wholeOf,
  type State,
  type States,
  type Status,
  type Thing,
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
  readonly weakened: Weakened;
  /** Called with the place of each handle that is owed. */
  readonly onHandle?: (at: At) => void;
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
    const left = state && this.collect(state, at);
    if (left === undefined) return;
    const [key, small] = canonical(left);
    set.set(key, small);
    this.states++;
    if (set.size > this.options.cap) {
      this.no('bound', 'too many situations', at);
      set.clear();
    }
  }

  putAll(set: States, from: Iterable<State>, at: At): void {
    for (const state of from) this.put(set, state, at);
  }

  /** What no place holds any more can't be released: a live handle, a filled list, a promise. */
  collect(state: State, at: At): State | undefined {
    const held = heldIn(state);
    for (const [id, thing] of state.things) {
      if (held.has(id)) continue;
      if (!this.#mayGo(state, id, thing, at)) return undefined;
    }
    return state;
  }

  #mayGo(state: State, id: number, thing: Thing, at: At): boolean {
    if (thing.status === 'live' && !this.weak('overwrite')) {
      this.no('leak', 'lost', at, thing.origin);
      return false;
    }
    const isFilled = thing.many !== undefined && thing.many.count !== 0;
    if (isFilled && thing.status === 'none' && !this.weak('array-dropped')) {
      this.no('leak', 'elements', at, thing.origin);
      return false;
    }
    return !thing.lends || this.lentForever(state, id, at);
  }

  /** A promise that is never awaited may lend what parameters lend, and nothing of this function. */
  lentForever(state: State, id: number, at: At): boolean {
    if (this.weak('no-lend')) return true;
    for (const each of basis(state, id)) {
      const thing = state.things.get(each)!;
      if (thing.parameter !== undefined) this.keeps.add(thing.parameter);
      if (thing.status !== 'none') {
        this.no('use-after-release', 'lent for ever', at, thing.origin);
        return false;
      }
    }
    return true;
  }

  assign(state: State, x: Place, id: number | undefined): State {
    return bound(state, x, id);
  }

  fresh(state: State, status: Status, origin: At, more: Partial<Thing> = {}): [State, number] {
    if (status === 'live') this.options.onHandle?.(origin);
    return added(state, makeThing({ ...more, status, origin }));
  }

  /** Whether a promise lends a thing or an element of it. */
  isLent(state: State, id: number): boolean {
    if (this.weak('no-lend')) return false;
    for (const [promise, thing] of state.things) {
      if (!thing.lends) continue;
      for (const each of basis(state, promise)) {
        if (each === promise) continue;
        if (each === id || state.things.get(each)!.owner === id) return true;
      }
    }
    return false;
  }

  /** The rule of every operation that consumes: owed here, lent to no one, nothing waits for it. */
  consume(
    state: State,
    id: number,
    at: At,
    to: { readonly status: Status; readonly owner?: number } = { status: 'gone' },
  ): State | undefined {
    const thing = state.things.get(id)!;
    if (thing.status !== 'live') return this.#notMine(thing, at);
    if (this.isLent(state, id)) {
      return this.no('use-after-release', 'released while lent', at, thing.origin);
    }
    if (!this.weak('before-ignored')) {
      for (const other of state.things.values()) {
        if (other.status === 'live' && other.before.includes(id)) {
          // What depends on it is still there: it may be lost, too.
          this.no('order', 'released before what depends on it', at, other.origin);
        }
      }
    }
    let next = change(state, id, { status: to.status, owner: to.owner });
    if (to.status === 'inside') return next;
    // What it owns ends with it: elements of a stack, what a closure releases.
    for (const [each, inner] of next.things) {
      if (inner.owner === id && inner.status === 'inside') next = change(next, each, ENDED);
    }
    return next;
  }

  #notMine({ status, origin }: Thing, at: At): undefined {
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
      const thing = next?.things.get(each);
      if (next === undefined || thing === undefined) return undefined;
      if (thing.closure !== undefined) {
        return this.no('refused', 'a function in it goes to another owner', at, thing.origin);
      }
      if (thing.status === 'none' && thing.many?.count !== undefined && thing.many.count !== 0) {
        return this.no('refused', 'a filled list goes to another owner', at, thing.origin);
      }
      if (thing.status === 'none') {
        const isView = thing.needs.length > 0 || thing.parameter !== undefined;
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
      const thing = state.things.get(each)!;
      if (thing.parameter !== undefined) this.keeps.add(thing.parameter);
      if (thing.status === 'none' || thing.status === 'foreign') continue;
      this.no(wrong, 'a view is kept beyond its handle', at, thing.origin);
      return false;
    }
    return true;
  }

  /** Whether anything in a value is owed here, or rests on what is. */
  matters(state: State, id: number): boolean {
    for (const each of basis(state, id)) {
      const { status, many, closure } = state.things.get(each)!;
      if (status !== 'none' || (many !== undefined && many.count !== 0)) return true;
      if (closure !== undefined && closure.variables.length > 0) return true;
    }
    return false;
  }

  /** Whether callers could care: it matters, or comes from a parameter. */
  concerns(state: State, id: number): boolean {
    if (this.matters(state, id)) return true;
    return [...basis(state, id)].some((each) => state.things.get(each)!.parameter !== undefined);
  }

  /** Neither it, nor what it needs or consists of, is gone. */
  usable(state: State, id: number, at: At): State | undefined {
    const root = state.things.get(id)!;
    const isView = root.needs.length > 0;
    if (isView && this.weak('view-outlives')) return state;
    for (const each of basis(state, id)) {
      const { status, origin, many } = ownerOf(state, state.things.get(each)!);
      if (status === 'gone') return this.no('use-after-release', 'used after', at, origin);
      if (status === 'maybe' || (many?.isDirty === true && !this.weak('dead-element'))) {
        return this.no('refused', 'it may be an element that is gone', at, origin);
      }
    }
    return state;
  }
}

/** What ends a thing: its owner, if something else owes its release. */
function ownerOf(state: State, thing: Thing): Thing {
  const owner = thing.owner === undefined ? undefined : state.things.get(thing.owner);
  const ends = thing.status === 'inside' && owner !== undefined && owner.status !== 'none';
  return ends ? ownerOf(state, owner) : thing;
}

const ENDED = { status: 'gone', owner: undefined } as const;
