// Rings between threads: every item arrives once, for each policy, ring size and thread count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRing } from '#src/public';
import { runThreads, type ThreadSpec } from './run-threads.ts';

const ITEMS = 1_000;
const threadsOf = (producers: number, consumers: number): ThreadSpec[] => [
  ...Array.from({ length: producers }, (_, number) => {
    return { side: 'producer' as const, number, items: ITEMS };
  }),
  ...Array.from({ length: consumers }, (_, number) => ({ side: 'consumer' as const, number })),
];

for (const [producers, consumers, delivery] of [
  [1, 1, 'shared'],
  [2, 1, 'shared'],
  [1, 2, 'shared'],
  [2, 2, 'shared'],
  [1, 2, 'broadcast'],
] as const) {
  for (const [policy, stages, threads] of [
    ['wait', 1, 8],
    ['auto', 3, 2],
    ['spin', 8, 1],
  ] as const) {
    test(`${producers} to ${consumers} ${delivery}, ${policy}, ${stages} stages`, async () => {
      const ring = createRing({
        stages,
        schema: { seq: 'i32', by: 'i32' },
        producers,
        consumers,
        delivery,
        policy,
        threads,
      });
      const outcomes = await runThreads(ring, threadsOf(producers, consumers));
      const seen = outcomes.slice(producers).map(({ message }) => message as number[]);
      const expected = Array.from({ length: producers }, (_, by) =>
        Array.from({ length: ITEMS }, (_, seq) => by * 1_000_000 + seq),
      ).flat();
      const sorted = (items: number[]): number[] => items.toSorted((a, b) => a - b);
      if (delivery === 'broadcast') for (const one of seen) assert.deepEqual(one, expected);
      else assert.deepEqual(sorted(seen.flat()), expected);
      // Each consumer sees the items of one producer in their order.
      for (const one of seen) {
        for (let by = 0; by < producers; by++) {
          const own = one.filter((item) => Math.floor(item / 1_000_000) === by);
          assert.deepEqual(own, sorted(own));
        }
      }
      assert.equal(ring.failure, null);
      assert.deepEqual(ring.held(), []);
    });
  }
}
