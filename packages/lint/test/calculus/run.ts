// The check of the calculus: executes programs of the core language on every path, loops up to two
// rounds, and reports what goes wrong. It shares no rule with the calculus.
import type { Condition, CoreFunction, Place, Step } from '#src/calculus/core';

export type Bad = 'leak' | 'double-release' | 'use-after-release' | 'order';

class Wrong extends Error {
  readonly kind: Bad;

  constructor(kind: Bad) {
    super(kind);
    this.kind = kind;
  }
}

/** An execution that is too long to finish. */
class Cut extends Error {}

interface Handle {
  k: 'handle';
  gone: boolean;
  isForeign: boolean;
  pending: number;
  before: Handle[];
}
interface View {
  k: 'view';
  of: Value[];
  lends: boolean;
}
interface List {
  k: 'list';
  items: Value[];
}
interface Fields {
  k: 'record';
  parts: Map<string, Value>;
}
interface Closure {
  k: 'closure';
  f: unknown;
  captured: Map<Place, Value>;
}
type Value = Handle | View | List | Fields | Closure | undefined;

interface Frame {
  readonly env: Map<Place, Value>;
  flags: Map<string, boolean>;
  result: Value;
  isMain: boolean;
}

type Completion = 'normal' | 'throw' | 'return' | string;

export interface Explored {
  readonly bad: ReadonlySet<Bad>;
  readonly isComplete: boolean;
  /** Some path acquires something. */
  readonly holds: boolean;
}

const MAX_STEPS = 400;

class World {
  readonly bodies: (f: unknown) => CoreFunction | undefined;
  choices: number[] = [];
  limits: number[] = [];
  at = 0;
  steps = 0;
  depth = 0;
  holds = false;
  all: Handle[] = [];
  stored: Handle[] = [];
  /** What others still use when the program has ended. */
  stillUsed: Handle[] = [];
  later: Closure[] = [];
  fields = new Map<Place, Value>();
  root: CoreFunction;

  constructor(bodies: (f: unknown) => CoreFunction | undefined, root: CoreFunction) {
    this.bodies = bodies;
    this.root = root;
  }

  choose(bound: number): number {
    if (this.at === this.choices.length) {
      this.choices.push(0);
      this.limits.push(bound);
    }
    return this.choices[this.at++]!;
  }

  fresh(before: Handle[] = []): Handle {
    const handle: Handle = { k: 'handle', gone: false, isForeign: false, pending: 0, before };
    this.all.push(handle);
    this.holds = true;
    return handle;
  }

  get(frame: Frame, x: Place): Value {
    return x.startsWith('this.') ? this.fields.get(x) : frame.env.get(x);
  }

  set(frame: Frame, x: Place, value: Value): void {
    if (x.startsWith('this.')) this.fields.set(x, value);
    else frame.env.set(x, value);
  }

  use(value: Value): void {
    if (value === undefined) return;
    switch (value.k) {
      case 'handle':
        if (value.gone) throw new Wrong('use-after-release');
        return;
      case 'view':
        for (const of of value.of) this.use(of);
        return;
      case 'list':
        for (const item of value.items) this.use(item);
        return;
      case 'record':
        for (const part of value.parts.values()) this.use(part);
        return;
      case 'closure':
        for (const part of value.captured.values()) this.use(part);
    }
  }

  release(value: Value): void {
    if (value === undefined) return;
    if (value.k !== 'handle') throw new Wrong('double-release'); // not what can be released
    if (value.gone || value.isForeign) throw new Wrong('double-release');
    if (value.pending > 0) throw new Wrong('use-after-release'); // work goes on without its handle
    if (this.all.some((child) => !child.gone && child.before.includes(value))) {
      throw new Wrong('order');
    }
    value.gone = true;
  }

  /** Releases all that a value is created of; a closure is called once. */
  releaseAll(value: Value): void {
    if (value === undefined) return;
    switch (value.k) {
      case 'handle':
        return this.release(value);
      case 'view':
        return this.use(value);
      case 'list':
        for (const item of value.items) this.releaseAll(item);
        return;
      case 'record':
        for (const part of value.parts.values()) this.releaseAll(part);
        return;
      case 'closure':
        this.callLater(value);
    }
  }

  callLater(closure: Closure): void {
    const flags = new Map<string, boolean>();
    this.closure(closure, { env: new Map(), flags, result: undefined, isMain: false });
  }

  /** Where a method waits, other methods of its object run: they release or replace its parts. */
  others(): void {
    for (const { place } of this.root.fields) {
      const how = this.choose(3);
      if (how === 0) continue;
      const value = this.fields.get(place);
      if (value) this.release(value);
      this.fields.set(place, how === 2 ? this.fresh() : undefined);
    }
  }

  run(body: readonly Step[], frame: Frame): Completion {
    for (const step of body) {
      const how = this.step(step, frame);
      if (how !== 'normal') return how;
    }
    return 'normal';
  }

  truth(test: Condition, frame: Frame): boolean | 'throw' {
    switch (test.k) {
      case 'any':
        return this.choose(2) === 1;
      case 'constant':
        return test.value;
      case 'held':
        return this.get(frame, test.x) !== undefined;
      case 'filled': {
        const value = this.get(frame, test.x);
        return value?.k === 'list' ? value.items.length > 0 : this.choose(2) === 1;
      }
      case 'fact':
        if (!frame.flags.has(test.name)) frame.flags.set(test.name, this.choose(2) === 1);
        return frame.flags.get(test.name)!;
      case 'not': {
        const of = this.truth(test.of, frame);
        return of === 'throw' ? of : !of;
      }
      case 'both': {
        const left = this.truth(test.left, frame);
        return left === 'throw' || left !== test.isAnd ? left : this.truth(test.right, frame);
      }
      case 'after':
        return this.run(test.body, frame) === 'throw' ? 'throw' : this.truth(test.of, frame);
    }
  }

  closure({ f, captured }: Closure, frame: Frame): Completion {
    if (++this.depth > 5) throw new Cut();
    const body = this.bodies(f)!;
    const inner: Frame = {
      env: new Map(captured),
      flags: frame.flags,
      result: undefined,
      isMain: false,
    };
    const how = this.run(body.body, inner);
    this.depth--;
    frame.result = how === 'return' ? inner.result : undefined;
    return how === 'throw' ? 'throw' : 'normal';
  }

  step(step: Step, frame: Frame): Completion {
    if (++this.steps > MAX_STEPS) throw new Cut();
    return (
      this.#plain(step, frame) ?? this.#lists(step, frame) ?? this.#control(step, frame) ?? 'normal'
    );
  }

  #plain(step: Step, frame: Frame): Completion | undefined {
    const get = (x: Place): Value => this.get(frame, x);
    const handles = (xs: readonly Place[]): Handle[] =>
      xs.map(get).filter((value): value is Handle => value?.k === 'handle');
    switch (step.k) {
      case 'acquire': {
        if (step.throws && this.choose(2)) return 'throw';
        const isNull = step.nullable && this.choose(2) === 1;
        this.set(frame, step.x, isNull ? undefined : this.fresh(handles(step.before)));
        return 'normal';
      }
      case 'copy':
        this.set(frame, step.x, get(step.y));
        return 'normal';
      case 'clear':
        for (const x of step.xs) this.set(frame, x, undefined);
        return 'normal';
      case 'use': {
        const values = step.ys.map(get);
        for (const value of values) this.use(value);
        return step.throws && this.choose(2) ? 'throw' : 'normal';
      }
      case 'release': {
        const value = get(step.y);
        if (value?.k === 'closure') return this.closure(value, frame);
        this.release(value);
        return 'normal';
      }
      case 'next': {
        const before = get(step.y);
        if (before !== undefined) {
          this.release(before);
          if (step.throws && this.choose(2)) return 'throw';
        }
        this.set(frame, step.x, before && this.fresh((before as Handle).before));
        return 'normal';
      }
      case 'view': {
        const of = step.ys.map(get).filter((value) => value !== undefined);
        for (const value of of) this.use(value);
        for (const each of step.lends ? this.basis(of) : []) each.pending++;
        this.set(frame, step.x, of.length > 0 ? { k: 'view', of, lends: step.lends } : undefined);
        return 'normal';
      }
      case 'await':
        return this.#await(step, frame);
      case 'unknown':
        for (const y of step.ys) {
          const value = get(y);
          if (value === undefined) continue;
          this.use(value);
          const how = this.choose(3);
          if (how === 1) this.releaseAll(value);
          if (how === 2) this.stored.push(...this.basis([value]));
        }
        return 'normal';
      case 'flag':
        if (typeof step.value !== 'boolean') frame.flags.delete(step.name);
        else frame.flags.set(step.name, step.value);
        return 'normal';
      default:
        return undefined;
    }
  }

  basis(values: readonly Value[]): Handle[] {
    return values.flatMap((value): Handle[] => {
      if (value === undefined) return [];
      if (value.k === 'handle') return [value];
      if (value.k === 'view') return this.basis(value.of);
      if (value.k === 'list') return this.basis(value.items);
      return this.basis([...(value.k === 'record' ? value.parts : value.captured).values()]);
    });
  }

  #await(step: Extract<Step, { k: 'await' }>, frame: Frame): Completion {
    this.others();
    const value = step.y === undefined ? undefined : this.get(frame, step.y);
    if (value?.k === 'view' && value.lends) {
      for (const each of this.basis(value.of)) each.pending--;
      value.lends = false;
    }
    if (value !== undefined && step.throws && this.choose(2)) return 'throw';
    this.set(frame, step.x, undefined);
    return 'normal';
  }

  #lists(step: Step, frame: Frame): Completion | undefined {
    const list = (x: Place): List | undefined => {
      const value = this.get(frame, x);
      return value?.k === 'list' ? value : undefined;
    };
    switch (step.k) {
      case 'record': {
        const values = step.parts.map(([, place]) => this.get(frame, place));
        const parts = new Map(step.parts.map(([name], index) => [name, values[index]]));
        this.set(
          frame,
          step.x,
          step.isList ? { k: 'list', items: values } : { k: 'record', parts },
        );
        return 'normal';
      }
      case 'part': {
        const value = this.get(frame, step.y);
        this.set(frame, step.x, value?.k === 'record' ? value.parts.get(step.name) : undefined);
        return 'normal';
      }
      case 'setPart':
      case 'dropPart': {
        const value = this.get(frame, step.y);
        const part = step.k === 'setPart' ? this.get(frame, step.value) : undefined;
        if (value?.k === 'record') value.parts.set(step.name, part);
        else if (part !== undefined) this.stillUsed.push(...this.basis([part]));
        return 'normal';
      }
      case 'element': {
        const items = list(step.y)?.items ?? [];
        const which = this.choose(items.length + 1);
        this.set(frame, step.x, items[which]);
        return 'normal';
      }
      case 'push': {
        const value = this.get(frame, step.y);
        list(step.c)?.items.push(value);
        return 'normal';
      }
      case 'take': {
        const items = list(step.c)?.items ?? [];
        const last = items.length - 1;
        const which =
          step.which === 'first'
            ? 0
            : step.which === 'last'
              ? last
              : this.choose(Math.max(1, items.length));
        this.set(frame, step.x, items.length === 0 ? undefined : items.splice(which, 1)[0]);
        return 'normal';
      }
      case 'takeAll': {
        const items = list(step.c)?.items.splice(step.from) ?? [];
        this.set(frame, step.x, { k: 'list', items });
        return 'normal';
      }
      case 'empty':
        list(step.c)?.items.splice(0);
        return 'normal';
      case 'each': {
        const value = list(step.c);
        for (const item of value?.items ?? []) {
          this.set(frame, step.x, item);
          const how = this.run(step.body, frame);
          if (how !== 'normal') return how;
        }
        return 'normal';
      }
      default:
        return undefined;
    }
  }

  #control(step: Step, frame: Frame): Completion {
    switch (step.k) {
      case 'if': {
        const yes = this.truth(step.test, frame);
        return yes === 'throw' ? yes : this.run(yes ? step.then : step.otherwise, frame);
      }
      case 'loop':
        for (let round = 0; round < 3; round++) {
          const how = this.run(step.body, frame);
          if (how !== 'normal') return how;
        }
        throw new Cut();
      case 'block': {
        const how = this.run(step.body, frame);
        return how === `jump ${step.label}` ? 'normal' : how;
      }
      case 'jump':
        return `jump ${step.label}`;
      case 'try': {
        let how = this.run(step.body, frame);
        if (how === 'throw' && step.handler) how = this.run(step.handler, frame);
        if (step.finalizer === undefined) return how;
        const { result } = frame;
        const last = this.run(step.finalizer, frame);
        if (last !== 'normal') return last;
        frame.result = result;
        return how;
      }
      case 'using': {
        const value = this.get(frame, step.x);
        const how = this.run(step.body, frame);
        this.release(value);
        this.set(frame, step.x, undefined);
        return how;
      }
      case 'return':
        frame.result = step.y === undefined ? undefined : this.get(frame, step.y);
        return 'return';
      case 'throw':
        return 'throw';
      case 'yield':
        this.others();
        if (this.choose(2) === 0) return 'normal';
        frame.result = undefined;
        return 'return';
      default:
        return this.#call(step, frame);
    }
  }

  #call(step: Step, frame: Frame): Completion {
    switch (step.k) {
      case 'call': {
        const callee = this.bodies(step.f)!;
        const args = step.args.map((place) => this.get(frame, place));
        for (const value of args) this.use(value);
        if (++this.depth > 5) throw new Cut();
        const env = new Map(callee.parameters.map(({ place }, index) => [place, args[index]]));
        const inner: Frame = { env, flags: new Map(), result: undefined, isMain: false };
        const how = this.run(callee.body, inner);
        this.depth--;
        if (how === 'throw') return how;
        this.set(frame, step.x, how === 'return' ? inner.result : undefined);
        return 'normal';
      }
      case 'closure': {
        const captured = new Map(step.values.map((place) => [place, this.get(frame, place)]));
        this.set(frame, step.x, { k: 'closure', f: step.f, captured });
        return 'normal';
      }
      case 'invoke': {
        const value = this.get(frame, step.f);
        if (value?.k === 'closure') {
          const result = frame.result;
          const how = this.closure(value, frame);
          const got = frame.result;
          frame.result = result;
          if (how === 'throw') return how;
          this.set(frame, step.x, got);
          return 'normal';
        }
        this.use(value);
        return step.throws && this.choose(2) ? 'throw' : 'normal';
      }
      case 'give': {
        const value = this.get(frame, step.y);
        if (value?.k === 'closure') this.later.push(value);
        else this.stored.push(...this.basis([value]));
        return 'normal';
      }
      default:
        return 'normal';
    }
  }
}

/** Backtracks to the next sequence of choices; `false` at the end. */
function advance(world: World): boolean {
  world.choices.length = world.limits.length = Math.min(world.at, world.choices.length);
  while (world.choices.length > 0 && world.choices.at(-1)! + 1 >= world.limits.at(-1)!) {
    world.choices.pop();
    world.limits.pop();
  }
  if (world.choices.length === 0) return false;
  world.choices[world.choices.length - 1]!++;
  return true;
}

/** One execution, and what callers do afterwards with what they got and what they own. */
function execute(world: World, root: CoreFunction, owned: readonly boolean[]): void {
  for (const { place } of root.fields)
    world.fields.set(place, world.choose(2) ? world.fresh() : undefined);
  const values = root.parameters.map(() => (world.choose(2) ? world.fresh() : undefined));
  const borrowed = values.filter((value, index) => value && owned[index] !== true) as Handle[];
  const env = new Map<Place, Value>(
    root.parameters.map(({ place }, index) => [place, values[index]]),
  );
  const frame: Frame = { env, flags: new Map(), result: undefined, isMain: true };
  const how = world.run(root.body, frame);
  const fields = new Set(world.fields.values());
  const outer = new Set<Value>([...borrowed, ...fields]);
  const result = how === 'return' ? frame.result : undefined;
  for (const closure of world.later) world.callLater(closure);
  const took = (value: Value): void => {
    if (value === undefined) return;
    if (outer.has(value)) return world.use(value);
    if (value.k === 'list') return value.items.forEach(took);
    if (value.k === 'record') return [...value.parts.values()].forEach(took);
    world.releaseAll(value);
  };
  for (const handle of world.stillUsed) world.use(handle);
  took(result);
  for (const value of fields) world.releaseAll(value);
  for (const handle of [...borrowed, ...world.stored]) world.release(handle);
  if (world.all.some(({ gone }) => !gone)) throw new Wrong('leak');
}

/** The kinds of wrong that some path has, called with handles or nothing, owned or borrowed. */
export function explore(
  bodies: (f: unknown) => CoreFunction | undefined,
  f: unknown = 0,
  owned: readonly boolean[] = [],
  maxPaths = 3000,
): Explored {
  const bad = new Set<Bad>();
  const root = bodies(f)!;
  const world = new World(bodies, root);
  let isComplete = true;
  for (let paths = 0; ; paths++) {
    if (paths >= maxPaths) return { bad, isComplete: false, holds: world.holds };
    world.at = world.steps = world.depth = 0;
    world.all = [];
    world.stored = [];
    world.stillUsed = [];
    world.later = [];
    world.fields = new Map();
    try {
      execute(world, root, owned);
    } catch (error) {
      if (error instanceof Wrong) bad.add(error.kind);
      else if (error instanceof Cut) isComplete = false;
      else throw error;
    }
    if (!advance(world)) return { bad, isComplete, holds: world.holds };
  }
}
