// T7: a try whose result decides a wait alone is no choice; every other one is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../../accepting.ts';
import { mainloop, STYLES, type Shape, type Style } from './try-kernels.ts';

const RIGHT: readonly Style[] = ['try', 'peek', 'poll'];
const BOUNDS = { maxStates: 60_000 };

for (const form of ['for', 'loop'] as const) {
  for (const style of RIGHT) {
    test(`64 tiles and two consumers that ${style} in a ${form} are certified`, async () => {
      const shape = { stages: 2, tiles: 64, consumers: 2, form, produce: 'wait', consume: style };
      const { verdict, stats, scope } = await check(mainloop(shape as Shape), {
        engine: 'certify',
      });
      assert.deepEqual([verdict, stats.engine], ['certified', 'certify']);
      // The state of a round says what a role goes on with; the history of a for does not.
      // A poll by its text has no result to compare.
      const isSampled = form === 'for' && style !== 'poll';
      const sampled = scope.assumptions.filter(({ name }) => name === 'try-results');
      assert.equal(sampled.length, isSampled ? 2 : 0);
      if (!isSampled) return;
      assert.match(sampled[0]!.text, /only decide whether role mma0 waits: \d+ sequences/);
    });
  }
}

for (const form of ['for', 'loop'] as const) {
  for (const produce of ['try', 'peek', 'poll'] as const) {
    for (const consume of ['wait', 'try', 'peek'] as const) {
      test(`a ${form} that produces by ${produce} and consumes by ${consume} needs one run`, async () => {
        const shape = { stages: 2, tiles: 16, consumers: 2, form, produce, consume };
        const { verdict, stats } = await check(mainloop(shape), { sizes: 'requested' });
        assert.deepEqual([verdict, stats.engine], ['certified', 'certify']);
      });
    }
  }
}

test('few tries are compared in every combination, so that nothing is assumed', async () => {
  const shape = { stages: 2, tiles: 4, consumers: 2, form: 'for', produce: 'try', consume: 'peek' };
  const { verdict, scope } = await check(mainloop(shape as Shape), { engine: 'certify' });
  assert.equal(verdict, 'certified');
  assert.ok(scope.assumptions.every(({ name }) => name !== 'try-results'));
});

/** What a role does must not depend on how often its tries failed. */
for (const style of ['counted', 'once counted'] as const) {
  for (const form of ['for', 'loop'] as const) {
    test(`24 tiles in a ${form}, ${style}, are not certified from one run`, async () => {
      const shape = { stages: 2, tiles: 24, consumers: 1, form, produce: 'wait', consume: style };
      const bounds = { maxStates: 3_000, engine: 'certify' } as const;
      const { verdict, stats } = await check(mainloop(shape as Shape), bounds);
      // Rounds of a loop merge, so that every order of choices is followed to the end.
      if (verdict === 'certified') assert.equal(stats.engine, 'hybrid');
    });
  }
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  stages: fc.integer({ min: 1, max: 2 }),
  tiles: fc.integer({ min: 1, max: 3 }),
  consumers: fc.integer({ min: 1, max: 2 }),
  form: fc.constantFrom('for', 'loop'),
  produce: fc.constantFrom(...STYLES),
  consume: fc.constantFrom(...STYLES),
});

test('verdicts are those of a search that makes every choice', async (t) => {
  const counts = { certified: 0, counterexample: 0, inconclusive: 0, proved: 0 };
  const property = fc.asyncProperty(shapes, async (shape) => {
    const target = mainloop(shape);
    const search = await check(target, { engine: 'search', ...BOUNDS });
    counts[search.verdict]++;
    if (search.verdict === 'inconclusive') return;
    for (const engine of ['certify', 'reduced', 'auto'] as const) {
      const { verdict } = await check(target, { engine, ...BOUNDS });
      if (verdict === 'certified' && engine === 'certify') counts.proved++;
      if (verdict !== 'inconclusive') assert.equal(verdict, search.verdict, engine);
      else assert.equal(engine, 'certify');
    }
    const isRight = [shape.produce, shape.consume].every(
      (one) => one === 'wait' || RIGHT.includes(one),
    );
    if (isRight) assert.equal(search.verdict, 'certified');
  });
  await fc.assert(property, { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60), seed: 7 });
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.proved > 0 && counts.counterexample > counts.inconclusive);
});
