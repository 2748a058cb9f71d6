// Random programs of ownership: what remains of a function when only its handles are of interest.

/**
 * `x0` to `x2` hold a handle or nothing, `v0` a view, `list` an array of handles; `a?` is a choice
 * that is made at run time, `k0` a flag that does not change.
 */
export type Statement =
  | { readonly k: 'acquire'; readonly x: string; readonly nullable: boolean }
  | { readonly k: 'copy' | 'next' | 'view'; readonly x: string; readonly y: string }
  | { readonly k: 'clear' | 'use' | 'release' | 'push' | 'pop' | 'return'; readonly x: string }
  | { readonly k: 'drain'; readonly x: string; readonly body: readonly Statement[] }
  | {
      readonly k: 'if';
      readonly test: string;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly k: 'while'; readonly body: readonly Statement[] }
  | {
      readonly k: 'try';
      readonly body: readonly Statement[];
      readonly handler: readonly Statement[] | undefined;
      readonly finalizer: readonly Statement[] | undefined;
    }
  | { readonly k: 'using'; readonly x: string; readonly body: readonly Statement[] }
  | { readonly k: 'throw' | 'break' | 'continue' };

/** A generator of numbers that a seed determines. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = ((seed * 2_654_435_761 + 1) >>> 0) % 4_294_967_296;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

const VARIABLES = ['x0', 'x1', 'x2'];

interface Scope {
  readonly random: Random;
  readonly isLoop: boolean;
  /** Variables that probably hold a live handle. */
  readonly held: string[];
  budget: number;
}

function statements(scope: Scope, depth: number): Statement[] {
  const all: Statement[] = [];
  for (let n = 1 + scope.random.below(5); n > 0 && scope.budget > 0; n--) {
    all.push(...statement(scope, depth));
  }
  return all;
}

function simple({ random, isLoop, held }: Scope): Statement[] {
  const x = random.pick(VARIABLES);
  const y = held.length > 0 && random.below(5) > 0 ? random.pick(held) : x;
  const forget = (): void => void (held.includes(y) && held.splice(held.indexOf(y), 1));
  const keep = (name: string): void => void (held.includes(name) || held.push(name));
  switch (random.below(12)) {
    case 0:
    case 1:
      keep(x);
      return [{ k: 'acquire', x, nullable: random.below(4) === 0 }];
    case 2:
    case 3:
      forget();
      return [{ k: 'release', x: y }];
    case 4:
      return [{ k: 'use', x: random.below(3) === 0 ? 'v0' : y }];
    case 5:
      forget();
      keep(x);
      return [{ k: 'copy', x, y }];
    case 6:
      forget();
      keep(x);
      return [{ k: 'next', x, y }];
    case 7:
      return [{ k: 'view', x: 'v0', y }];
    case 8:
      forget();
      return [{ k: 'push', x: y }];
    case 9:
      return [{ k: 'pop', x }];
    case 10:
      return isLoop ? [{ k: random.pick(['break', 'continue'] as const) }] : [{ k: 'clear', x }];
    default:
      return [random.below(2) === 0 ? { k: 'throw' } : { k: 'return', x: y }];
  }
}

function statement(scope: Scope, depth: number): Statement[] {
  scope.budget--;
  const { random, held } = scope;
  const inner = (isLoop = scope.isLoop): Statement[] => {
    const nested = { ...scope, isLoop };
    const body = statements(nested, depth - 1);
    scope.budget = nested.budget;
    return body;
  };
  const x = random.pick(VARIABLES);
  const end: Statement = { k: 'release', x };
  if (depth === 0 || random.below(2) === 0) return simple(scope);
  switch (random.below(7)) {
    case 0: {
      const test = random.pick(['any()', 'k0', 'k0', `${x} !== undefined`]);
      return [{ k: 'if', test, body: inner(), otherwise: random.below(2) === 0 ? inner() : [] }];
    }
    case 1:
      return [{ k: 'while', body: inner(true) }];
    case 2:
      return [{ k: 'try', body: inner(), handler: inner(), finalizer: undefined }];
    case 3: {
      const open: Statement = { k: 'acquire', x, nullable: false };
      return [open, { k: 'try', body: inner(), handler: undefined, finalizer: [end] }];
    }
    case 4:
      return [{ k: 'using', x: `u${depth}`, body: inner() }];
    case 5:
      return [{ k: 'drain', x, body: random.below(2) === 0 ? [...inner(true), end] : [end] }];
    default: {
      const fill: Statement[] = [
        { k: 'acquire', x, nullable: false },
        { k: 'push', x },
      ];
      held.length = 0;
      const drain: Statement = { k: 'drain', x, body: [end] };
      return [
        {
          k: 'try',
          body: [{ k: 'while', body: fill }, ...inner()],
          handler: undefined,
          finalizer: [drain],
        },
      ];
    }
  }
}

/** The program of a seed. */
export function programOf(seed: number): Statement[] {
  const random = new Random(seed);
  const scope: Scope = { random, isLoop: false, held: [], budget: 4 + random.below(12) };
  const body = statements(scope, 3);
  if (random.below(3) > 0) body.push(...scope.held.map((x): Statement => ({ k: 'release', x })));
  if (random.below(3) > 0) {
    body.push({ k: 'drain', x: 'x2', body: [{ k: 'release', x: 'x2' }] });
  }
  return body;
}
