// Random programs of the core language for the comparison: small ones, which are often right.
import type { Condition, CoreFunction, Parameter, Step } from '#src/calculus/core';

/** Function 0 is `main`; functions call those after them, and themselves. */
export type Program = readonly CoreFunction[];

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
  }

  next(bound: number): number {
    let t = (this.#state = (this.#state + 0x6d2b79f5) >>> 0);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.next(from.length)]!;
  }
}

type Bare = Step extends infer S ? (S extends Step ? Omit<S, 'at'> : never) : never;

const XS = ['x0', 'x1', 'x2'];
/** What functions have of their own beside handles: views, promises, lists, an object, closures. */
const OTHERS = ['v0', 'v1', 'p0', 'p1', 'c0', 'c1', 'd0', 'r0', 'f0', 'u0', 'u1', 'e0', 't0'];
const FIELDS = ['this.F', 'this.G'];

/** From this seed on, drained elements end first, parts are only used, and callees keep parameters. */
export const WIDE = 1_000_000;

/** Closures are functions after this number. */
export const CLOSURES = 100;

class Maker {
  readonly r: Random;
  readonly functions: number[];
  readonly closures: CoreFunction[] = [];
  me = 0;
  budget = 0;
  loops: string[] = [];
  isGenerator = false;
  isWide = false;
  fields: readonly string[] = [];
  scoped: string[] = [];
  hot: string[] = [];
  #labels = 0;
  #sites = 0;

  constructor(r: Random, functions: number[]) {
    this.r = r;
    this.functions = functions;
  }

  at(step: Bare): Step {
    const start = this.#sites++;
    return { ...step, at: { start, end: start, file: undefined } } as Step;
  }

  block(depth: number): Step[] {
    const out: Step[] = [];
    for (let n = 1 + this.r.next(depth > 1 ? 5 : 3); n > 0 && this.budget > 0; n--) {
      this.budget--;
      out.push(...this.statement(depth).map((step) => this.at(step)));
    }
    return out;
  }

  #hot(): string {
    return this.hot.length > 0 && this.r.next(5) > 0 ? this.r.pick(this.hot) : this.r.pick(XS);
  }

  #cool(x: string): void {
    if (this.r.next(8) > 0) this.hot = this.hot.filter((hot) => hot !== x);
  }

  #heat(x: string): void {
    if (!this.hot.includes(x)) this.hot.push(x);
  }

  #source(): string {
    if (this.fields.length > 0 && this.r.next(6) === 0) return this.r.pick(this.fields);
    if (this.scoped.length > 0 && this.r.next(3) === 0) return this.r.pick(this.scoped);
    return this.#hot();
  }

  #target(x: string): string {
    return this.fields.length > 0 && this.r.next(8) === 0 ? this.r.pick(this.fields) : x;
  }

  statement(depth: number): Bare[] {
    const kind = this.r.next(depth > 0 ? 44 : 29);
    if (kind < 12) return this.#plain(kind);
    if (kind < 21) return this.#structured(kind);
    if (kind < 29) return this.#other(kind);
    return this.#nested(kind, depth);
  }

  acquire(x: string, nullable = false, before: string[] = [], owned = true): Bare {
    return { k: 'acquire', x, owned, nullable, form: 'one', throws: true, before };
  }

  #plain(kind: number): Bare[] {
    const { r } = this;
    const x = r.pick(XS);
    const y = this.#source();
    const target = this.#target(x);
    const v = r.pick(['v0', 'v1']);
    switch (kind) {
      case 0:
      case 1:
        this.#heat(target);
        return [this.acquire(target, r.next(4) === 0, r.next(8) === 0 ? [y] : [])];
      case 2:
      case 3:
      case 4:
        this.#cool(y);
        return [{ k: 'release', y }];
      case 5:
      case 6:
        return [{ k: 'use', ys: [r.next(3) ? y : v], throws: true }];
      case 7:
        this.#heat(target);
        this.#cool(y);
        return [{ k: 'copy', x: target, y }];
      case 8:
        return [{ k: 'clear', xs: [target] }];
      case 9:
        this.#cool(y);
        this.#heat(target);
        return [{ k: 'next', x: target, y, throws: true, nullable: false }];
      case 10: {
        const ys = r.next(4) ? [y] : [y, r.pick(XS)];
        const view: Bare = {
          k: 'view',
          x: v,
          ys,
          lends: false,
          throws: false,
          outside: 'nothing',
          nullable: false,
        };
        return r.next(2) ? [view, { k: 'use', ys: [v], throws: true }] : [view];
      }
      default: {
        const p = r.pick(['p0', 'p1']);
        const start: Bare = {
          k: 'view',
          x: p,
          ys: [y],
          lends: true,
          throws: false,
          outside: 'nothing',
          nullable: false,
        };
        return r.next(3) ? [start, this.#await(p)] : [start];
      }
    }
  }

  #await(p: string): Bare {
    return {
      k: 'await',
      x: 't0',
      y: p,
      throws: true,
      nullable: true,
      isView: false,
      optional: false,
    };
  }

  /** Lists and objects. */
  #structured(kind: number): Bare[] {
    const { r } = this;
    const x = r.pick(XS);
    const c = r.pick(['c0', 'c0', 'c1']);
    const hot = this.#hot();
    switch (kind) {
      case 12:
      case 13:
        this.#cool(hot);
        return [this.#pushed(c, hot)];
      case 14:
        this.#heat(x);
        return [{ k: 'take', x, c, which: r.pick(['last', 'first', 'some'] as const) }];
      case 15:
        return [
          { k: 'element', x: 'e0', y: c },
          { k: 'use', ys: ['e0'], throws: true },
        ];
      case 16:
        this.#cool(hot);
        return [
          {
            k: 'record',
            x: 'r0',
            parts: [
              ['a', hot],
              ['b', x],
            ],
            isList: false,
          },
        ];
      case 17:
        if (this.isWide) return this.#usedPart(hot);
        this.#heat(x);
        return [
          { k: 'part', x, y: 'r0', name: r.pick(['a', 'b']), outside: 'nothing', nullable: false },
        ];
      case 18:
        return [{ k: 'setPart', y: 'r0', name: r.pick(['a', 'b']), value: hot }];
      case 19:
        return r.next(2)
          ? [{ k: 'empty', c }]
          : [{ k: 'takeAll', x: 'c1', c: 'c0', from: r.next(2) }];
      default:
        return [{ k: 'dropPart', y: 'r0', name: r.pick(['a', 'b']) }];
    }
  }

  /** A part that is used, mostly after what it is may have ended. */
  #usedPart(y: string): Bare[] {
    const part = { k: 'part', x: 'e0', y: 'r0', name: 'a', outside: 'nothing' } as const;
    const end: Bare[] = this.r.next(2) ? [{ k: 'release', y }] : [];
    return [
      { k: 'record', x: 'r0', parts: [['a', y]], isList: false },
      { ...part, nullable: false },
      ...end,
      { k: 'use', ys: ['e0'], throws: false },
      { k: 'clear', xs: ['r0', 'e0'] },
    ];
  }

  /** `if (y !== undefined) c.push(y)`, mostly. */
  #pushed(c: string, y: string): Bare {
    const push: Bare = { k: 'push', c, y, isFirst: this.r.next(4) === 0 };
    if (this.r.next(5) === 0) return push;
    return { k: 'if', test: { k: 'held', x: y }, then: [this.at(push)], otherwise: [] };
  }

  /** Calls, closures, flags and jumps. */
  #other(kind: number): Bare[] {
    const { r } = this;
    const x = r.pick(XS);
    const target = this.#target(x);
    switch (kind) {
      case 21: {
        const last = this.functions.length - 1;
        if (this.me === last && r.next(3) > 0) return [{ k: 'release', y: this.#source() }];
        const f = this.me + (this.me < last && r.next(6) > 0 ? 1 + r.next(last - this.me) : 0);
        const args = Array.from({ length: this.functions[f]! }, () => this.#hot());
        return f === 0
          ? []
          : [{ k: 'call', x: target, f, args, isAwaited: true, result: 'owned', makes: undefined }];
      }
      case 22:
        return [{ k: 'unknown', ys: [r.next(4) ? x : this.#source()], why: 'unknown' }];
      case 23:
      case 24:
        return this.#closure();
      case 25:
        return [this.#invoke('f0')];
      case 26:
        return r.next(2)
          ? [{ k: 'return', y: r.next(3) ? this.#source() : undefined }]
          : [{ k: 'return', y: r.pick(['r0', 'v0', 'f0']) }];
      case 27:
        return this.loops.length > 0 && r.next(2)
          ? [{ k: 'jump', label: r.pick(this.loops) }]
          : [{ k: 'throw' }];
      default:
        if (r.next(3) === 0) return this.#flagged(this.#source());
        if (r.next(2)) return [{ k: 'flag', name: 'k2', value: r.pick([true, false, undefined]) }];
        return this.isGenerator
          ? [{ k: 'yield', y: undefined }]
          : [this.#await(r.pick(['p0', 'p1']))];
    }
  }

  #invoke(f: string): Bare {
    return {
      k: 'invoke',
      x: 't0',
      f,
      args: [],
      isAwaited: false,
      throws: true,
      owned: undefined,
      result: 'nothing',
    };
  }

  /** A closure over a variable or two, called, stored or passedOn away. */
  #closure(): Bare[] {
    const { r } = this;
    const values = r.next(3) ? [this.#hot()] : [...new Set([this.#hot(), r.pick(XS)])];
    if (values.some((value) => !XS.includes(value))) return [];
    const f = CLOSURES + this.closures.length;
    const [first = 'x0'] = values;
    const end: Bare[] = r.pick([
      [{ k: 'release', y: first } as Bare],
      [{ k: 'use', ys: [first], throws: true } as Bare],
      values.map((y): Bare => ({ k: 'release', y })),
      [{ k: 'use', ys: [first], throws: true } as Bare, { k: 'release', y: first } as Bare],
      [
        {
          k: 'if',
          test: { k: 'fact', name: r.pick(['k0', 'k2']) },
          then: [
            { k: 'release', y: first } as Bare,
            { k: 'flag', name: 'k2', value: false } as Bare,
          ].map((step) => this.at(step)),
          otherwise: [],
        } as Bare,
      ],
      [{ k: 'return', y: first } as Bare],
    ]);
    const at = { start: 0, end: 0, file: undefined };
    this.closures.push({
      ...plainFunction(
        values.map((place) => ({ place, holds: 'handle', owned: undefined })),
        end.map((step) => this.at(step)),
      ),
      flags: ['k2'],
      at,
    });
    const created: Bare = { k: 'closure', x: 'f0', f, values, variables: [] };
    const again = r.next(6) === 0 ? [this.#invoke('f0')] : [];
    for (const y of values) this.#cool(y);
    return r.pick<Bare[]>([
      [created, this.#invoke('f0'), ...again],
      [created],
      [created, { k: 'give', y: 'f0', isOnce: true }, ...again],
      [created, { k: 'push', c: 'd0', y: 'f0', isFirst: false }],
      [
        created,
        { k: 'push', c: 'd0', y: 'f0', isFirst: false },
        { k: 'each', x: 'f0', c: 'd0', body: [this.at(this.#invoke('f0'))], isTaken: false },
      ],
    ]);
  }

  /** A flag that changes between two tests of it. */
  #flagged(y: string): Bare[] {
    const { r } = this;
    const some = (): Step[] => (r.next(2) ? [this.at({ k: 'release', y })] : []);
    const test: Condition = { k: 'fact', name: 'k2' };
    return [
      { k: 'if', test, then: some(), otherwise: some() },
      { k: 'flag', name: 'k2', value: r.pick([true, false]) },
      { k: 'if', test, then: some(), otherwise: some() },
    ];
  }

  #nested(kind: number, depth: number): Bare[] {
    const { r } = this;
    const x = r.pick(XS);
    const inner = (): Step[] => this.block(depth - 1);
    switch (kind) {
      case 29:
      case 30:
      case 31:
        return [
          { k: 'if', test: this.#test(x), then: inner(), otherwise: r.next(2) ? inner() : [] },
        ];
      case 32:
      case 33:
        return [this.loop(inner)];
      case 34:
      case 35:
        return [{ k: 'try', body: inner(), handler: undefined, finalizer: inner() }];
      case 36: {
        const finalizer = (y: string): Step[] => [this.at({ k: 'release', y })];
        return [
          this.acquire(x),
          { k: 'try', body: inner(), handler: undefined, finalizer: finalizer(x) },
        ];
      }
      case 37:
        return [
          { k: 'try', body: inner(), handler: inner(), finalizer: r.next(4) ? undefined : inner() },
        ];
      case 38: {
        const u = this.scoped.includes('u0') ? 'u1' : 'u0';
        if (this.scoped.includes(u)) return [];
        this.scoped.push(u);
        const body = inner();
        this.scoped.pop();
        return [this.acquire(u), { k: 'using', x: u, body, waits: false }];
      }
      case 39: {
        const fill = (): Bare[] => [this.acquire(x), { k: 'push', c: 'c0', y: x, isFirst: false }];
        const more = r.next(3) ? [] : inner();
        const release = this.at({ k: 'release', y: x });
        const before = r.next(4) ? [] : inner();
        const after = this.isWide && r.next(3) === 0 ? inner() : [];
        const empty = this.drain(x, 'c0', [...before, release, ...after]);
        const body = r.next(2)
          ? [...fill(), ...fill(), ...(r.next(2) ? fill() : [])]
              .map((step) => this.at(step))
              .concat(more)
          : [this.at(this.loop(() => [...fill().map((step) => this.at(step)), ...more]))];
        return [
          { k: 'try', body, handler: undefined, finalizer: empty.map((step) => this.at(step)) },
        ];
      }
      case 40:
        return [
          {
            k: 'each',
            x,
            c: r.pick(['c0', 'c1']),
            body: [
              ...(r.next(3) ? [] : inner()),
              this.at({
                k: r.next(3) ? 'release' : 'use',
                y: x,
                ys: [x],
                throws: true,
              } as unknown as Bare),
            ],
            isTaken: false,
          },
        ];
      case 41:
        return this.drain(
          x,
          'c0',
          r.next(2) ? [...inner(), this.at({ k: 'release', y: x })] : inner(),
        );
      case 42:
        return r.next(3)
          ? [{ k: 'each', x: 'f0', c: 'd0', body: [this.at(this.#invoke('f0'))], isTaken: false }]
          : [{ k: 'take', x: 'f0', c: 'd0', which: 'last' }, this.#invoke('f0')];
      default:
        return this.drain(x, 'c0', [this.at({ k: 'release', y: x })]);
    }
  }

  /** A parameter is stored where another owner has it. */
  keeping(y: string): Step[] {
    return [this.at({ k: 'setPart', y: 'outside', name: 'a', value: y })];
  }

  drain(x: string, c: string, body: Step[]): Bare[] {
    return [
      { k: 'takeAll', x: 't0', c, from: 0 },
      { k: 'each', x, c: 't0', body, isTaken: true },
      { k: 'clear', xs: ['t0'] },
    ];
  }

  #test(x: string): Condition {
    const { r } = this;
    return r.pick<Condition>([
      { k: 'any' },
      { k: 'fact', name: 'k0' },
      { k: 'fact', name: 'k0' },
      { k: 'fact', name: 'k2' },
      { k: 'held', x },
      { k: 'filled', x: r.pick(['c0', 'c1']) },
      { k: 'not', of: { k: 'held', x } },
      {
        k: 'both',
        isAnd: r.next(2) === 0,
        left: { k: 'held', x },
        right: { k: 'fact', name: 'k1' },
      },
    ]);
  }

  loop(inner: () => Step[]): Bare {
    const end = `end${this.#labels}`;
    const again = `next${this.#labels++}`;
    this.loops.push(end, again);
    const body = inner();
    this.loops.splice(-2);
    const leave: Step = this.at({ k: 'jump', label: end });
    const round: Step[] = [
      this.at({ k: 'if', test: { k: 'any' }, then: [], otherwise: [leave] }),
      this.at({ k: 'block', label: again, body }),
    ];
    return { k: 'block', label: end, body: [this.at({ k: 'loop', body: round })] };
  }
}

function plainFunction(parameters: readonly Parameter[], body: readonly Step[]): CoreFunction {
  return {
    parameters,
    body,
    isAsync: false,
    isGenerator: false,
    isMethod: false,
    fields: [],
    endsObject: false,
    startsObject: false,
    locals: [],
    flags: [],
    at: { start: 0, end: 0, file: undefined },
  };
}

/** A program and its closures. */
export function generate(seed: number): (f: unknown) => CoreFunction | undefined {
  const r = new Random(seed);
  const count = 1 + r.next(3);
  const arity = Array.from({ length: count }, (_, i) => (i === 0 ? 0 : 1 + r.next(2)));
  const maker = new Maker(r, arity);
  maker.isWide = seed >= WIDE;
  const size = 4 + r.next(13);
  const program = arity.map((parameters, me) => {
    const isMain = me === 0;
    maker.me = me;
    maker.isGenerator = isMain && r.next(5) === 0;
    const fields = isMain && r.next(3) === 0 ? FIELDS.slice(0, 1 + r.next(2)) : [];
    maker.fields = fields;
    maker.budget = isMain ? size : 1 + r.next(4);
    maker.hot = XS.slice(0, parameters);
    return method(maker, parameters, fields, isMain);
  });
  return (f) => {
    const index = f as number;
    return index >= CLOSURES ? maker.closures[index - CLOSURES] : program[index];
  };
}

function method(
  maker: Maker,
  parameters: number,
  fields: readonly string[],
  isMain: boolean,
): CoreFunction {
  const { r, isGenerator } = maker;
  const lists = ['c0', 'c1', 'd0'].map((x) =>
    maker.at({ k: 'record', x, parts: [], isList: true }),
  );
  let body = maker.block(isMain ? 3 : 1);
  if (maker.isWide && !isMain && r.next(3) === 0) body = [...maker.keeping('x0'), ...body];
  const isFilled = JSON.stringify(body).includes('"push"');
  if (r.next(3) > 0) body.push(...maker.hot.map((y) => maker.at({ k: 'release', y })));
  if (isFilled && r.next(3) > 0) {
    const end = maker.drain('x2', 'c0', [maker.at({ k: 'release', y: 'x2' })]);
    body.push(...end.map((step) => maker.at(step)));
  }
  if (r.next(6) === 0) {
    body = [
      maker.at({
        k: 'try',
        body: body.slice(0, -1),
        handler: undefined,
        finalizer: body.slice(-1),
      }),
    ];
  }
  const names = XS.slice(0, parameters);
  return {
    ...plainFunction(
      names.map((place) => ({ place, holds: 'handle', owned: undefined })),
      [...lists, ...body],
    ),
    isGenerator,
    isMethod: fields.length > 0,
    fields: fields.map((place) => ({ place, holds: 'handle', nullable: true })),
    locals: [...XS, ...OTHERS],
  };
}
