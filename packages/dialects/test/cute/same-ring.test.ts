// tier: deep
// One ring in three dialects: the same operations in the same order, and the same verdicts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import type { Kernel } from 'poundlock';
import { ROOT } from '../../../poundlock/test/golden/golden.ts';
import { visibleSteps } from './visible-steps.ts';

const WORDS = ['mojo', 'dsl', 'cutlass'];
const { default: ring } = (await import(join(ROOT, 'examples', 'cute', 'same-ring.ts'))) as {
  default: Kernel;
};

test('the ring loads, reads, arrives and drains', () => {
  assert.deepEqual(visibleSteps(ring, { words: 'mojo', stages: 1, tiles: 1 }), {
    load: [
      'wait for ab.empty[0] phase -1',
      'arrive on ab.full[0], expecting 16,384 B',
      'start a copy of 16,384 B into ab[0]',
      'wait for ab.empty[0] phase 0',
    ],
    consume: ['wait for ab.full[0] phase 0', 'read ab[0]', 'arrive on ab.empty[0]'],
  });
});

for (const [stages, tiles] of [
  [1, 3],
  [2, 5],
  [3, 8],
  [4, 2],
] as const) {
  test(`it is the same in every dialect, with ${stages} stages and ${tiles} tiles`, async () => {
    const mojo = visibleSteps(ring, { words: 'mojo', stages, tiles });
    for (const words of WORDS) {
      const params = { words, stages, tiles };
      assert.deepEqual(visibleSteps(ring, params), mojo, words);
      for (const engine of ['certify', 'search'] as const) {
        const { verdict, findings } = await check(ring, { params, engine });
        assert.deepEqual([verdict, findings], ['certified', []], `${words} by ${engine}`);
      }
    }
  });
}

test('it takes as many states in every dialect', async () => {
  const counts = await Promise.all(
    WORDS.map(async (words) => (await check(ring, { params: { words }, engine: 'search' })).stats),
  );
  assert.equal(new Set(counts.map(({ states }) => states)).size, 1);
});
