// What every rule of the calculus gets: premises, completions, and the functions around it.
import type { CoreFunction, Operation, Step, Summary } from './core.ts';
import { Rules, type RuleOptions } from './rules.ts';
import { ANY_NUMBER, bound, type State, type States } from './state.ts';

/** The states after some operations, by how they end. */
export interface Out {
  readonly normal: States;
  readonly thrown: States;
  readonly returned: States;
  readonly jumps: Map<string, States>;
}

/** No states yet. */
export function noStates(): Out {
  return { normal: new Map(), thrown: new Map(), returned: new Map(), jumps: new Map() };
}

/** Where a `return` leaves its value. */
export const RESULT = '$';

/** The functions that a body may call. */
export interface Functions {
  /** `undefined`: refused, or not known. */
  readonly summary: (f: unknown) => Summary | undefined;
  /** The summary of a function that holds nothing, where nothing that it gets matters. */
  readonly outline: (f: unknown) => Summary | undefined;
  /** The body of a function that is judged where it is called: a closure. */
  readonly body: (f: unknown) => CoreFunction | undefined;
}

/** How deep closures are followed into each other. */
const MAX_DEPTH = 6;

export type Handler<K extends Operation['k']> = (
  machine: Machine,
  step: Extract<Operation, { k: K }> & Step,
  state: State,
  out: Out,
) => void;

export type Handlers = { readonly [K in Operation['k']]: Handler<K> };

export class Machine extends Rules {
  readonly functions: Functions;
  /** The function that is judged. */
  readonly fn: CoreFunction;
  /** What its yields do with handles: borrowed for the round, or passedOn away. */
  yields: 'borrowed' | 'passedOn' = 'borrowed';
  /** What was yielded. */
  yielded: 'nothing' | 'own' | 'view' = 'nothing';
  waits = false;
  depth = 0;
  readonly #handlers: Handlers;

  constructor(fn: CoreFunction, functions: Functions, handlers: Handlers, options: RuleOptions) {
    super(options);
    this.fn = fn;
    this.functions = functions;
    this.#handlers = handlers;
  }

  /** All operations one after the other, from every state. */
  run(body: readonly Step[], from: States): Out {
    const out = noStates();
    let current = from;
    for (const step of body) {
      if (this.isStopped) return noStates();
      const next: States = new Map();
      for (const state of current.values()) {
        this.step(step, state, { ...out, normal: next });
      }
      current = next;
    }
    for (const [key, state] of current) out.normal.set(key, state);
    return out;
  }

  step(step: Step, state: State, out: Out): void {
    const handle = this.#handlers[step.k] as Handler<Operation['k']>;
    handle(this, step, state, out);
  }

  /** Continues after an operation with what it leaves. */
  normal(out: Out, state: State | undefined, step: Step): void {
    this.put(out.normal, state, step.at);
  }

  thrown(out: Out, state: State | undefined, step: Step): void {
    this.put(out.thrown, state, step.at);
  }

  jumped(out: Out, label: string, state: State, step: Step): void {
    const set = out.jumps.get(label) ?? new Map<string, State>();
    out.jumps.set(label, set);
    this.put(set, state, step.at);
  }

  /** All states that do not end normally, as they are. */
  abrupt(from: Out, to: Out, step: Step): void {
    this.putAll(to.thrown, from.thrown.values(), step.at);
    this.putAll(to.returned, from.returned.values(), step.at);
    for (const [label, states] of from.jumps) {
      for (const state of states.values()) this.jumped(to, label, state, step);
    }
  }

  /** Runs the body of a closure; refused where closures call each other too deep. */
  nested(step: Step, run: () => void): void {
    if (this.depth >= MAX_DEPTH) {
      this.no('refused', 'functions that call each other too deep', step.at);
      return;
    }
    this.depth++;
    run();
    this.depth--;
  }

  /**
   * Where a method waits, other methods of its object run: each part that the object owns must be
   * owned, and comes back as it was, as nothing, or as another.
   */
  wait(state: State, step: Step): State[] {
    this.waits = true;
    let states: (State | undefined)[] = [state];
    if (this.weak('no-interleaving')) return [state];
    for (const { place, holds } of this.fn.fields) {
      if (holds === 'many') {
        states = states.map((each) => each && this.#refilled(each, place, step));
        continue;
      }
      states = states.flatMap((each) =>
        each === undefined ? [] : this.#others(each, place, step),
      );
    }
    return states.filter((each) => each !== undefined);
  }

  #others(state: State, place: string, step: Step): (State | undefined)[] {
    const id = state.env.get(place);
    const gone = id === undefined ? state : this.consume(state, id, step.at);
    if (gone === undefined) return [];
    const without = bound(gone, place, undefined);
    const [filled, fresh] = this.fresh(without, 'live', step.at);
    return [state, without, bound(filled, place, fresh)];
  }

  /** A list of the object may have more, fewer or no elements after it. */
  #refilled(state: State, place: string, step: Step): State | undefined {
    const id = state.env.get(place);
    const list = id === undefined ? undefined : state.entities.get(id);
    if (id === undefined || list?.many === undefined || list.many.isDirty) {
      return this.no('refused', 'a list of the object is in use while it waits', step.at);
    }
    const entities = new Map(state.entities).set(id, { ...list, many: ANY_NUMBER });
    for (const [each, inner] of entities) {
      if (inner.owner === id) entities.set(each, { ...inner, status: 'maybe', owner: undefined });
    }
    return { ...state, entities };
  }
}
