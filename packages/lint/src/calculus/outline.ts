// Functions that hold nothing to release: what callers may rely on whatever path is taken, found
// without states. It is used where nothing that they get has to be released either.
import type { Condition, CoreFunction, Place, Step, Summary } from './core.ts';
import type { Holding } from './holding.ts';
import { RESULT } from './machine.ts';

type Call = Extract<Step, { k: 'call' }>;

/** The effects of a body, in no order. */
interface Effects {
  /** The first place may hold the second, or a view of it. */
  readonly flows: [Place, Place][];
  /** What is put into something, which may come from outside. */
  readonly stored: [into: Place, value: Place][];
  readonly filled: Place[];
  readonly passed: Place[];
  readonly calls: { readonly step: Call; readonly isCaught: boolean }[];
  throws: boolean;
  waits: boolean;
  lends: boolean;
}

export class Outlines {
  readonly #body: (f: unknown) => CoreFunction | undefined;
  readonly #holding: Holding;
  readonly #known = new Map<unknown, Summary>();

  constructor(body: (f: unknown) => CoreFunction | undefined, holding: Holding) {
    this.#body = body;
    this.#holding = holding;
  }

  /** The outline of a function; `undefined` for one that may hold something, or yields. */
  of(f: unknown): Summary | undefined {
    const known = this.#known.get(f);
    if (known !== undefined) return known;
    if (this.#holding.of(f) || this.#body(f)?.isGenerator !== false) return undefined;
    this.#settle(f);
    return this.#known.get(f);
  }

  forget(): void {
    this.#known.clear();
  }

  /** All that a function reaches, until nothing is added any more. */
  #settle(f: unknown): void {
    const open = new Map<unknown, { fn: CoreFunction; effects: Effects }>();
    const reach = (g: unknown): void => {
      const fn = open.has(g) || this.#known.has(g) ? undefined : this.#body(g);
      if (fn === undefined) return;
      const effects = effectsOf(fn);
      open.set(g, { fn, effects });
      for (const { step } of effects.calls) reach(step.f);
    };
    reach(f);
    let size = -1;
    for (let before = -2; size !== before;) {
      before = size;
      size = 0;
      for (const [g, { fn, effects }] of open) {
        const outline = outlineOf(fn, effects, (callee) => this.#known.get(callee));
        this.#known.set(g, outline);
        size += sizeOf(outline);
      }
    }
  }
}

/** Grows with each statement of an outline. */
function sizeOf({ keeps, fills, passes, throws, waits, results }: Summary): number {
  const flags = [...keeps, ...fills, ...passes, throws, waits].filter(Boolean).length;
  const views = results.reduce((sum, each) => sum + (each.k === 'view' ? each.of.length : 0), 0);
  return flags + views + results.length;
}

function outlineOf(
  fn: CoreFunction,
  effects: Effects,
  known: (f: unknown) => Summary | undefined,
): Summary {
  const { calls } = effects;
  const callees = calls.map(({ step, isCaught }) => ({ step, isCaught, summary: known(step.f) }));
  const run = callees.filter(({ step, summary }) => summary !== undefined && runs(step, summary));
  const flows = [...effects.flows];
  for (const { step, summary } of callees) {
    const viewed = (summary?.results ?? []).flatMap((each) => (each.k === 'view' ? each.of : []));
    const isValue = step.makes === undefined && summary !== undefined && runs(step, summary);
    for (const index of isValue ? viewed : step.args.keys()) {
      flows.push([step.x, step.args[index]!]);
    }
  }
  const holds = spread(fn, flows);
  const marked = (places: readonly Place[]): boolean[] => {
    const found = new Set(places.flatMap((place) => [...(holds.get(place) ?? [])]));
    return fn.parameters.map((_, index) => found.has(index));
  };
  const own = new Set(fn.locals);
  const outside = effects.stored.filter(([into]) => {
    return !own.has(into) || (holds.get(into)?.size ?? 0) > 0;
  });
  const of = (list: 'keeps' | 'fills' | 'passes'): Place[] =>
    callees.flatMap(({ step, summary }) =>
      step.args.filter((_, index) => summary?.[list][index] === true),
    );
  const views = [...(holds.get(RESULT) ?? [])].sort();
  const none = { k: 'null' } as const;
  const { lends } = effects;
  return {
    owned: fn.parameters.map(() => false),
    keeps: marked([...outside.map(([, value]) => value), ...of('keeps')]),
    fills: marked([...effects.filled, ...of('fills')]),
    passes: marked([...effects.passed, ...of('passes')]),
    results: views.length === 0 ? [none] : [none, { k: 'view', of: views, lends }],
    throws: effects.throws || run.some((each) => !each.isCaught && each.summary?.throws === true),
    waits: effects.waits || run.some(({ summary }) => summary?.waits === true),
    isAsync: fn.isAsync,
    yields: fn.isGenerator ? 'nothing' : undefined,
  };
}

/** Whether a call runs the body to its end: a generator and a promise do so later. */
function runs({ isAwaited }: Call, { isAsync, yields }: Summary): boolean {
  return yields === undefined && (!isAsync || isAwaited);
}

/** The parameters that each place may hold or rest on. */
function spread(
  { parameters }: CoreFunction,
  flows: readonly (readonly [Place, Place])[],
): Map<Place, Set<number>> {
  const from = new Map<Place, Place[]>();
  for (const [to, place] of flows) from.set(place, [...(from.get(place) ?? []), to]);
  const holds = new Map<Place, Set<number>>();
  for (const [index, { place: start }] of parameters.entries()) {
    const work = [start];
    for (let place = work.pop(); place !== undefined; place = work.pop()) {
      const known = holds.get(place) ?? new Set<number>();
      if (known.has(index)) continue;
      holds.set(place, known.add(index));
      work.push(...(from.get(place) ?? []));
    }
  }
  return holds;
}

function effectsOf({ body }: CoreFunction): Effects {
  const effects: Effects = {
    flows: [],
    stored: [],
    filled: [],
    passed: [],
    calls: [],
    throws: false,
    waits: false,
    lends: false,
  };
  for (const step of body) add(effects, step, false);
  return effects;
}

function addAll(effects: Effects, steps: readonly Step[], isCaught: boolean): void {
  for (const step of steps) add(effects, step, isCaught);
}

function add(effects: Effects, step: Step, isCaught: boolean): void {
  if ((step.k === 'throw' || throwsItself(step)) && !isCaught) effects.throws = true;
  switch (step.k) {
    case 'if':
      addTest(effects, step.test, isCaught);
      addAll(effects, step.then, isCaught);
      return addAll(effects, step.otherwise, isCaught);
    case 'try':
      addAll(effects, step.body, isCaught || step.handler !== undefined);
      addAll(effects, step.handler ?? [], isCaught);
      return addAll(effects, step.finalizer ?? [], isCaught);
    case 'loop':
    case 'block':
    case 'using':
    case 'each':
      if (step.k === 'each') effects.flows.push([step.x, step.c]);
      return addAll(effects, step.body, isCaught);
    case 'call':
      return void effects.calls.push({ step, isCaught });
    case 'await':
    case 'awaitAll':
    case 'yield':
      effects.waits = true;
      break;
    default:
  }
  addFlow(effects, step);
}

function throwsItself(step: Step): boolean {
  if (step.k === 'awaitAll') return true;
  return 'throws' in step && step.throws;
}

function addTest(effects: Effects, test: Condition, isCaught: boolean): void {
  if (test.k === 'not') addTest(effects, test.of, isCaught);
  if (test.k === 'after') {
    addAll(effects, test.body, isCaught);
    addTest(effects, test.of, isCaught);
  }
  if (test.k === 'both') {
    addTest(effects, test.left, isCaught);
    addTest(effects, test.right, isCaught);
  }
}

/** What an operation without a body puts where. */
function addFlow(effects: Effects, step: Step): void {
  const { stored, passed, filled } = effects;
  effects.flows.push(...flowsOf(step));
  switch (step.k) {
    case 'view':
      effects.lends ||= step.lends;
      return;
    case 'promise':
      effects.lends = true;
      return;
    case 'setPart':
      stored.push([step.y, step.value]);
      return;
    case 'push':
    case 'putUnder':
      stored.push([step.c, step.y]);
      filled.push(step.c);
      return;
    case 'invoke':
      // What a function value does with what it gets is not looked at.
      effects.waits ||= step.isAwaited;
      passed.push(...step.args);
      stored.push(...pairs(OUTSIDE, [step.f, ...step.args]));
      return;
    case 'pass':
    case 'unknown':
      passed.push(...step.ys);
      return;
    case 'give':
    case 'yield':
      if (step.y !== undefined) stored.push([OUTSIDE, step.y]);
      return;
    default:
  }
}

/** What another owner has. */
const OUTSIDE: Place = '';

function flowsOf(step: Step): [Place, Place][] {
  switch (step.k) {
    case 'return':
      return step.y === undefined ? [] : [[RESULT, step.y]];
    case 'take':
    case 'takeAll':
      return [[step.x, step.c]];
    case 'view':
    case 'promise':
      return pairs(step.x, step.ys);
    case 'record':
      return step.parts.map(([, part]) => [step.x, part]);
    case 'closure':
      return pairs(step.x, [...step.values, ...step.variables]);
    case 'setPart':
      return [[step.y, step.value]];
    case 'push':
    case 'putUnder':
      return [[step.c, step.y]];
    case 'invoke':
      return pairs(step.x, [step.f, ...step.args]);
    default:
      return 'x' in step && 'y' in step && step.y !== undefined ? [[step.x, step.y]] : [];
  }
}

function pairs(x: Place, ys: readonly Place[]): [Place, Place][] {
  return ys.map((y) => [x, y]);
}
