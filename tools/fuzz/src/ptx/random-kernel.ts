// Draws kernels: exchanges between two warps that are right, and changes that may make them wrong.
import * as fc from 'fast-check';
import { GROUPS, type Amount, type Body, type By, type Group } from './program.ts';
import type { KernelProgram, Source, Space, Statement } from './program.ts';

const EXCHANGES = [
  'meet',
  'signal',
  'flag',
  'turns',
  'copy',
  'ring',
  'copyRing',
  'own',
  'registers',
] as const;
const CHANGES = [
  'guard',
  'either',
  'both',
  'plus',
  'plusBoth',
  'count',
  'drop',
  'repeat',
  'swap',
  'phase',
  'late',
] as const;
type Exchange = (typeof EXCHANGES)[number];

/** How a kernel is drawn: plain choices, which are shrunk one by one. */
interface Plan {
  readonly group: Group;
  readonly style: 'mixed' | 'wide' | 'single';
  readonly isOneWarp: boolean;
  readonly isPartial: boolean;
  readonly grid: readonly [number, number];
  readonly n: number;
  readonly exchanges: readonly {
    readonly kind: Exchange;
    readonly isBack: boolean;
    readonly by: number;
    readonly times: number;
  }[];
  readonly changes: readonly {
    readonly kind: (typeof CHANGES)[number];
    readonly at: number;
    readonly form: number;
  }[];
}

/** Values that lanes of one warp may read apart are read where the warp is one group of lanes. */
const APART: ReadonlySet<Group> = new Set(['time', 'machine', 'none']);

const nat = (max: number): fc.Arbitrary<number> => fc.nat(max);
const planOf = (group: Group): fc.Arbitrary<Plan> =>
  fc.record({
    group: fc.constant(group),
    style: APART.has(group)
      ? fc.constantFrom('single' as const, 'wide' as const)
      : fc.constantFrom('mixed' as const, 'mixed' as const, 'single' as const, 'wide' as const),
    isOneWarp: nat(5).map((number) => number === 5),
    isPartial: nat(5).map((number) => number === 5),
    grid: fc.constantFrom([2, 1] as const, [1, 2] as const),
    n: nat(3),
    exchanges: fc.array(
      fc.record({
        kind: fc.constantFrom(...EXCHANGES),
        isBack: fc.boolean(),
        by: nat(2),
        times: nat(3),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    changes: fc.array(
      fc.record({ kind: fc.constantFrom(...CHANGES), at: nat(999), form: nat(5) }),
      { maxLength: 2 },
    ),
  });

/** Kernels of a group, or of all. */
export function kernelPrograms(group?: Group): fc.Arbitrary<KernelProgram> {
  const groups = group === undefined ? GROUPS : [group];
  return fc.oneof(...groups.map(planOf)).map(programOf);
}

/** The part of an exchange that each side makes. */
interface Sides {
  readonly from: Statement[];
  readonly to: Statement[];
}

class Drafted {
  readonly barriers: Amount[] = [];
  readonly sides: (Sides & { readonly isBack: boolean })[] = [];
  readonly #plan: Plan;
  #slots = 0;
  words = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    for (const each of plan.exchanges) {
      const kind = this.#allowed(each.kind);
      this.sides.push({ ...this.#exchange(kind, each), isBack: each.isBack });
    }
  }

  /** Copies are made by one lane, and barriers of warps by all. */
  #allowed(kind: Exchange): Exchange {
    const { style } = this.#plan;
    if (style === 'wide' && (kind === 'copy' || kind === 'copyRing')) return 'signal';
    if (style === 'single' && (kind === 'meet' || kind === 'registers')) return 'ring';
    return kind;
  }

  #barrier(count: number): number {
    return this.barriers.push({ value: count }) - 1;
  }

  /** An exchange that words order: a flag, or two counts in turn. */
  #words(kind: 'flag' | 'turns', times: number, store: Statement, load: Statement): Sides {
    const isExact = times > 1;
    const [full, empty] = [this.words++, kind === 'flag' ? -1 : this.words++];
    const isSum = kind === 'turns' || times % 2 === 0;
    const value = { value: 1 };
    const pass = (word: number): Statement[] => [
      { do: 'join' },
      { do: 'signal', word, isSum, value },
    ];
    const poll = (word: number, number: number): Statement => {
      return { do: 'poll', word, isExact, value: { value: number } };
    };
    if (kind === 'flag') return { from: [store, ...pass(full)], to: [poll(full, 1), load] };
    return {
      from: [store, ...pass(full), poll(empty, 1), store, ...pass(full)],
      to: [poll(full, 1), load, ...pass(empty), poll(full, 2), load],
    };
  }

  #exchange(kind: Exchange, one: Plan['exchanges'][number]): Sides {
    const { style, group } = this.#plan;
    const by: By = style === 'single' || (style === 'mixed' && one.by === 2) ? 'one' : 'all';
    const isJoined = style === 'mixed' && one.by === 1;
    const slot = { value: this.#slots++ };
    const space: Space = group === 'global' ? (one.times === 3 ? 'grid' : 'global') : 'shared';
    const store: Statement = { do: 'store', space, slot, by };
    const load: Statement = { do: 'load', space, slot, by };
    const lanes = (isBack: boolean): number => {
      if (by === 'one' || isJoined) return 1;
      const isLast = this.#plan.isOneWarp || isBack;
      return isLast && this.#plan.isPartial ? 4 : 32;
    };
    const arrive = (barrier: number): Statement[] => [
      ...(isJoined ? [{ do: 'join' } as const] : []),
      { do: 'arrive', barrier, by: isJoined ? 'one' : by, count: { value: 1 } },
    ];
    const wait = (barrier: number, phase: number): Statement => ({ do: 'wait', barrier, phase });
    const meet = (): Statement => {
      const warps = this.#plan.isOneWarp ? 1 : 2;
      return { do: 'meet', id: one.by, threads: one.by === 0 ? null : { value: warps } };
    };
    const loop = (body: Body): Statement[] => [{ do: 'loop', times: { value: one.times }, body }];
    const copy = (barrier: number): Statement => {
      const bytes = { value: 8 };
      return { do: 'copy', barrier, slot: slot.value + 4, bytes };
    };
    const brought: Statement = { do: 'load', space: 'shared', slot: { value: slot.value + 4 }, by };
    switch (kind) {
      case 'meet':
        return { from: [store, meet()], to: [meet(), load] };
      case 'signal': {
        const full = this.#barrier(lanes(one.isBack));
        return { from: [store, ...arrive(full)], to: [wait(full, 0), load] };
      }
      case 'flag':
      case 'turns':
        return this.#words(kind, one.times, store, load);
      case 'copy': {
        const full = this.#barrier(1);
        return { from: [copy(full)], to: [wait(full, 0), brought] };
      }
      case 'ring':
      case 'copyRing': {
        const isCopy = kind === 'copyRing';
        const full = this.#barrier(isCopy ? 1 : lanes(one.isBack));
        const empty = this.#barrier(lanes(!one.isBack));
        const filled = isCopy ? [copy(full)] : [store, ...arrive(full)];
        return {
          from: loop([wait(empty, 1), ...filled]),
          to: loop([wait(full, 0), isCopy ? brought : load, ...arrive(empty)]),
        };
      }
      case 'own':
        if (group === 'global')
          return {
            from: [{ do: 'add', space: 'grid', slot }],
            to: [{ do: 'add', space: 'grid', slot }],
          };
        return { from: [store, load], to: [] };
      case 'registers': {
        const both: Statement[] = [
          { do: 'registers', isMore: false, count: 40 },
          meet(),
          { do: 'registers', isMore: true, count: 48 + 8 * one.times },
        ];
        return { from: both, to: both };
      }
    }
  }
}

function programOf(plan: Plan): KernelProgram {
  const { group, style, isOneWarp, isPartial, grid, n, changes } = plan;
  const draft = new Drafted(plan);
  let sides: readonly Sides[] = draft.sides;
  const barriers = [...draft.barriers];
  const source = (form: number): Source => ({
    origin: group === 'global' ? 'launch' : group,
    form,
  });
  const inBoth = changes.filter(({ kind }) => kind === 'both' || kind === 'plusBoth');
  for (const { kind, at, form } of inBoth) {
    const chosen = at % sides.length;
    const when = source(form);
    const wrap = (body: Statement[]): Statement[] =>
      kind === 'both'
        ? [{ do: 'if', when, body, otherwise: [] }]
        : body.map((each) => withPlus(each, when));
    sides = sides.map((each, index) =>
      index === chosen ? { ...each, from: wrap(each.from), to: wrap(each.to) } : each,
    );
  }
  const first = sides.flatMap((each, at) => (draft.sides[at]!.isBack ? each.to : each.from));
  const second = sides.flatMap((each, at) => (draft.sides[at]!.isBack ? each.from : each.to));
  let warps: Body[] = [first, second];
  if (isOneWarp)
    warps = [
      sides.flatMap(({ from, to }) => (isLoop(from) ? interleaved(from, to) : [...from, ...to])),
    ];
  for (const { kind, at, form } of changes) {
    if (kind === 'both' || kind === 'plusBoth') continue;
    if (kind === 'count' && barriers.length > 0) {
      const chosen = at % barriers.length;
      barriers[chosen] = { ...barriers[chosen]!, plus: source(form) };
      continue;
    }
    if (kind === 'late' && group !== 'time') continue;
    const warp = at % warps.length;
    const body = warps[warp]!;
    const place = Math.floor(at / 2) % Math.max(1, countOf(body));
    const changed = changedAt(body, place, (list, index) =>
      change(kind, list, index, source(form)),
    );
    warps = warps.with(warp, changed);
  }
  const lanes = isPartial ? 4 : 32;
  const isSingle = style === 'single';
  return { group, warps, grid, lanes, barriers, words: draft.words, isSingle, n };
}

const isLoop = (body: Body): boolean => body.some((each) => each.do === 'loop');

/** Both sides of a ring in one warp: one loop after the other would wait for itself. */
function interleaved(from: Body, to: Body): Statement[] {
  const [a, b] = [from[0]!, to[0]!];
  if (a.do !== 'loop' || b.do !== 'loop') return [...from, ...to];
  return [{ ...a, body: [...a.body, ...b.body] }];
}

/** Adds a number to what a statement counts with. */
function withPlus(one: Statement, plus: Source): Statement {
  switch (one.do) {
    case 'store':
    case 'load':
    case 'add':
      return { ...one, slot: { ...one.slot, plus } };
    case 'arrive':
      return { ...one, count: { ...one.count, plus } };
    case 'loop':
      return { ...one, times: { ...one.times, plus } };
    case 'copy':
      return { ...one, bytes: { ...one.bytes, plus } };
    case 'signal':
    case 'poll':
      return { ...one, value: { ...one.value, plus } };
    case 'meet':
      return one.threads === null ? one : { ...one, threads: { ...one.threads, plus } };
    case 'join':
    case 'wait':
    case 'waitFor':
    case 'if':
    case 'registers':
      return one;
  }
}

/** A body in which one statement is changed, with those behind it. */
function change(kind: string, body: Body, at: number, when: Source): Body {
  const one = body[at]!;
  switch (kind) {
    case 'guard':
      return body.with(at, { do: 'if', when, body: [one], otherwise: [] });
    case 'either':
      return body.with(at, { do: 'if', when, body: [one], otherwise: [one] });
    case 'plus':
      return body.with(at, withPlus(one, when));
    case 'drop':
      return body.toSpliced(at, 1);
    case 'repeat':
      return body.toSpliced(at, 0, one);
    case 'swap':
      return at + 1 < body.length ? body.toSpliced(at, 2, body[at + 1]!, one) : body;
    case 'phase':
      return one.do === 'wait' ? body.with(at, { ...one, phase: 1 - one.phase }) : body;
    case 'late': {
      if (one.do !== 'wait') return body;
      const skip = when.form % 2 === 0 ? body.slice(at + 1) : [];
      const wait: Statement = { ...one, do: 'waitFor', skip };
      return skip.length > 0 ? [...body.slice(0, at), wait] : body.with(at, wait);
    }
    default:
      return body;
  }
}

const bodiesOf = (one: Statement): Body[] =>
  one.do === 'if' ? [one.body, one.otherwise] : one.do === 'loop' ? [one.body] : [];

function countOf(body: Body): number {
  return body.reduce(
    (sum, one) => sum + 1 + bodiesOf(one).reduce((all, inner) => all + countOf(inner), 0),
    0,
  );
}

/** Changes the list of a statement, which is the `place`th of all in a body. */
function changedAt(body: Body, place: number, change: (body: Body, at: number) => Body): Body {
  let left = place;
  for (const [at, one] of body.entries()) {
    if (left === 0) return change(body, at);
    left--;
    const inner = countOf([one]) - 1;
    if (left < inner) {
      if (one.do === 'loop')
        return body.with(at, { ...one, body: changedAt(one.body, left, change) });
      if (one.do !== 'if') return body;
      const first = countOf(one.body);
      const isFirst = left < first;
      return body.with(at, {
        ...one,
        ...(isFirst
          ? { body: changedAt(one.body, left, change) }
          : { otherwise: changedAt(one.otherwise, left - first, change) }),
      });
    }
    left -= inner;
  }
  return body;
}
