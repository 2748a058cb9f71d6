// tier: deep
// The suspected defects of the modelled library: at which sizes they show, and that the fixes work.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import blockScaled from '../../../../examples/sm100/block-scaled.ts';
import groupedDrain from '../../../../examples/sm100/suspects/grouped-drain.ts';
import groupedTwoSm from '../../../../examples/sm100/grouped-2sm.ts';
import loadOrder from '../../../../examples/sm100/suspects/load-order.ts';
import epilogueRelease from '../../../../examples/sm100/suspects/epilogue-release.ts';
import { outcomesOf } from './outcomes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const FINE = new Set([1, 2, 6, 10]);
const CERTAIN = new Set([5, 9, 13]);

suite('the drain of the grouped scheduler', { concurrency: 4 }, () => {
  for (let tiles = 1; tiles <= 13; tiles++) {
    const expected = FINE.has(tiles) ? 'never' : CERTAIN.has(tiles) ? 'always' : 'can';

    test(`with ${tiles} tiles and 2 stages it ${expected} hang(s)`, async () => {
      const { verdict } = await check(groupedDrain, { params: { tiles }, sizes: 'requested' });
      assert.equal(verdict, expected === 'never' ? 'certified' : 'counterexample');
      const { ends, stuck } = outcomesOf(groupedDrain, { tiles });
      assert.equal(stuck > 0, expected !== 'never');
      assert.equal(ends > 0, expected !== 'always');
    });

    test(`with ${tiles} tiles it is certified when it drains by the producer's state`, async () => {
      const params = { tiles, drain: 'producer-state' };
      assert.equal((await check(groupedDrain, { params })).verdict, 'certified');
    });
  }

  test('the launch hides it: in the whole kernel, one tile is certified, and five hang', async () => {
    const zero = { drain: 'zero', clcStages: 2 };
    const one = await check(groupedTwoSm, { params: { ...zero, tiles: 1 }, sizes: 'requested' });
    assert.equal(one.verdict, 'certified');
    const engine = 'certify';
    const five = await check(groupedTwoSm, { params: { ...zero, tiles: 5 }, engine });
    assert.match(five.reason ?? '', /scheduler@0 waits forever/);
  });
});

suite('the load-order barrier', () => {
  for (const tiles of [1, 2, 3, 4]) {
    test(`with ${tiles} tile(s)`, async () => {
      const { verdict, findings } = await check(loadOrder, {
        params: { tiles },
        sizes: 'requested',
      });
      const [first] = findings;
      assert.equal(first?.rule, tiles === 1 ? undefined : 'false-block');
      assert.equal(verdict, tiles === 1 ? 'certified' : 'counterexample');
      const fixed = await check(loadOrder, {
        params: { tiles, loadOrder: 'two-way' },
        sizes: 'requested',
      });
      assert.equal(fixed.verdict, 'certified');
    });
  }

  test('two tiles are enough to hang, and three to pass late', () => {
    const [one, two, three] = [1, 2, 3].map((tiles) => outcomesOf(loadOrder, { tiles }));
    assert.equal(one!.stuck, 0);
    assert.ok(two!.stuck > 0);
    assert.ok(!two!.rules.has('late-pass'));
    assert.ok(three!.rules.has('late-pass'));
  });
});

test('an epilogue stage that is released as its message says hangs after all stages', async () => {
  for (const accumStages of [1, 2, 3]) {
    const run = async (items: number, arrives = false) =>
      (
        await check(epilogueRelease, {
          params: { accumStages, items, arrives },
          sizes: 'requested',
        })
      ).verdict;
    assert.equal(await run(accumStages), 'certified');
    assert.equal(await run(accumStages + 1), 'counterexample');
    assert.equal(await run(2 * accumStages + 1, true), 'certified');
    const { ends } = outcomesOf(epilogueRelease, { accumStages, items: accumStages + 1 });
    assert.equal(ends, 0, 'every schedule hangs');
  }
});

test('KERN-3311: the arrivals of the peer alone do not need the exit barrier', async () => {
  for (const exitBarrier of [true, false]) {
    const { verdict } = await check(blockScaled, { params: { exitBarrier }, engine: 'certify' });
    assert.equal(verdict, 'certified');
  }
});

test('docs/explanation/suspects.md names every suspect', () => {
  const page = readFileSync(join(ROOT, 'docs', 'explanation', 'suspects.md'), 'utf8');
  for (const file of readdirSync(join(ROOT, 'examples', 'sm100', 'suspects'))) {
    assert.ok(page.includes(`(../../examples/sm100/suspects/${file})`), file);
  }
});
