// Proofs for every value: random kernels whose counts follow from one number over several defaults.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import {
  arrive,
  barrier,
  count,
  end,
  kernel,
  loop,
  role,
  waitParity,
  type Kernel,
} from 'poundlock';
import { RUNS, SEED } from './runs.ts';

/** Every size up to this one is searched. */
const LARGEST = 40;
/** A kernel is searched for 41 sizes. */
const SHARE = 50;

/** How a number follows from the one before it. */
type Follows = readonly [kind: string, by: number];

const FOLLOWS: Record<string, (n: number, by: number) => number> = {
  same: (n) => n,
  plus: (n, by) => n + by,
  least: (n, by) => Math.max(n, by),
  most: (n, by) => Math.min(n, by),
  blocks: (n, by) => Math.ceil(n / (by + 1)) * (by + 1),
  even: (n) => n - (n % 2),
  equal: (n, by) => (n === by ? n + 1 : n),
  truth: (n, by) => n || by,
  text: (n) => Number(`${n}`),
};

const follows: fc.Arbitrary<Follows> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('same') },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(FOLLOWS)) },
  ),
  // Sizes that are tried, so that what is not observable is found there.
  fc.constantFrom(0, 1, 2, 3, 16, 17),
);

const counting = fc.record({
  stages: fc.integer({ min: 1, max: 3 }),
  produced: fc.array(follows, { maxLength: 2 }),
  consumed: fc.array(follows, { maxLength: 2 }),
  size: fc.integer({ min: 0, max: 20 }),
});
type Counting = typeof counting extends fc.Arbitrary<infer T> ? T : never;

/** A ring by hand; each side counts as many rounds as its chain of defaults says. */
function toKernel({ stages, produced, consumed, size }: Counting): Kernel {
  const chain = (name: string, steps: readonly Follows[]): [string, unknown][] =>
    steps.map(([kind, by], at) => {
      const before = at === 0 ? 'n' : `${name}${at - 1}`;
      return [`${name}${at}`, (p: Record<string, never>) => FOLLOWS[kind]!(p[before]!, by)];
    });
  const defaults = Object.fromEntries<unknown>([
    ['n', size],
    ...chain('p', produced),
    ...chain('c', consumed),
  ]);
  return kernel('counting', defaults, (params) => {
    const last = (name: string, { length }: readonly Follows[]): number =>
      (params as Record<string, number>)[length === 0 ? 'n' : `${name}${length - 1}`]!;
    const ids = Array.from({ length: stages }, (_, s) => s);
    const full = ids.map((s) => barrier(`full[${s}]`));
    const empty = ids.map((s) => barrier(`empty[${s}]`));
    const side = (name: string, items: ReturnType<typeof count>, isFirst: boolean) =>
      role(name, function* () {
        yield* loop(0, function* (n) {
          if (!(yield* items.more())) return end(0);
          const [stage, lap] = [n % stages, Math.floor(n / stages)];
          yield* waitParity((isFirst ? empty : full)[stage]!, isFirst ? 1 - lap : lap);
          arrive((isFirst ? full : empty)[stage]!);
          return (n + 1) % (2 * stages);
        });
      });
    const [produces, takes] = [
      count(last('p', produced), 'made'),
      count(last('c', consumed), 'taken'),
    ];
    return [side('producer', produces, true), side('consumer', takes, false)];
  });
}

test('what is certified for every value is certified for each value that is searched', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const seen: Record<string, number> = {};
  const property = fc.asyncProperty(counting, async (drawn) => {
    const target = toKernel(drawn);
    const { verdict, scope, params } = await check(target, { every: 'n' });
    const isEvery = verdict === 'certified' && scope.every.length === 1;
    const what = isEvery ? 'every' : verdict;
    seen[what] = (seen[what] ?? 0) + 1;
    const sizes = isEvery
      ? Array.from({ length: LARGEST + 1 }, (_, n) => n)
      : verdict === 'certified'
        ? [...scope.sizes[0]!.certified, drawn.size].filter((n) => n <= LARGEST)
        : [];
    for (const n of sizes) {
      const searched = await check(target, { params: { n }, engine: 'search' });
      assert.equal(searched.verdict, 'certified', `${JSON.stringify(drawn)} with n=${n}`);
    }
    if (verdict !== 'counterexample') return;
    const searched = await check(target, { params: { n: params['n']! }, engine: 'search' });
    assert.equal(searched.verdict, 'counterexample', JSON.stringify([drawn, params]));
  });
  await fc.assert(property, { seed: SEED, numRuns: Math.max(20, Math.ceil(RUNS / SHARE)) });
  t.diagnostic(JSON.stringify(seen));
});
