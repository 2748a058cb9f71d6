// Batches: claimed at once, never held while waiting, nothing lost, whatever the sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRing, RingMisuse, RingTimeout } from '#src/public';
import { runThreads } from './run-threads.ts';

const schema = { value: 'i32' } as const;

test('a batch that times out takes nothing', () => {
  for (const [producers, consumers] of [
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
  ] as const) {
    const ring = createRing({ stages: 4, schema, producers, consumers, timeoutMs: 20 });
    const producer = ring.producer();
    for (let value = 0; value < 2; value++) {
      const tile = producer.acquireSync();
      tile.data.value = value;
      tile.release();
    }
    assert.throws(() => producer.acquireBatchSync(3), RingTimeout);
    assert.deepEqual(ring.held(), []);
    const consumer = ring.consumer();
    const batch = consumer.acquireBatchSync(4)!;
    assert.deepEqual(
      [...batch].map(({ data }) => data.value),
      [0, 1],
    );
    batch.release();
    assert.throws(() => consumer.acquireBatchSync(1), RingTimeout);
    assert.equal(producer.acquireBatchSync(4).length, 4);
  }
});

test('a batch has 1 to as many tiles as the ring has stages', () => {
  const ring = createRing({ stages: 3, schema, producers: 2, timeoutMs: 20 });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  for (const size of [0, 4, -1, 1.5, Number.NaN]) {
    assert.throws(() => producer.acquireBatchSync(size), { name: 'InputError' });
    assert.throws(() => consumer.acquireBatchSync(size), { name: 'InputError' });
  }
  producer.acquireSync();
  assert.throws(() => producer.acquireBatchSync(3), RingMisuse);
});

test('a batch releases as many tiles as were used, and gives up the others', () => {
  for (const producers of [1, 2]) {
    const ring = createRing({ stages: 4, schema, producers, timeoutMs: 20 });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    for (let round = 0; round < 5; round++) {
      const batch = producer.acquireBatchSync(4);
      for (const [value, tile] of [...batch].entries()) tile.data.value = value;
      if (round % 2 === 0) batch.release(2);
      else {
        batch.tiles[3]!.cancel();
        batch.tiles[2]!.cancel();
        batch.release();
      }
      const taken = consumer.acquireBatchSync(4)!;
      assert.deepEqual(
        [...taken].map(({ data }) => data.value),
        [0, 1],
      );
      taken.release();
      assert.throws(() => taken.release(), { rule: 'double-release' });
      assert.throws(() => consumer.acquireBatchSync(4), RingTimeout);
    }
  }
});

test('batches of any sizes pass every item in order, in one thread', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 1, max: 2 }),
      sizes,
      sizes,
      (stages, producers, consumers, puts, takes) => {
        const ring = createRing({ stages, schema, producers, consumers, timeoutMs: 0 });
        const [producer, consumer] = [ring.producer(), ring.consumer()];
        let [produced, taken] = [0, 0];
        for (let round = 0; round < 30; round++) {
          const size = Math.min(puts[round % puts.length]!, stages);
          const free = stages - (produced - taken);
          if (size > free) assert.throws(() => producer.acquireBatchSync(size), RingTimeout);
          else {
            const batch = producer.acquireBatchSync(size);
            for (const { data } of batch) data.value = produced++;
            batch.release();
          }
          const most = Math.min(takes[round % takes.length]!, stages);
          if (produced === taken) continue;
          const batch = consumer.acquireBatchSync(most)!;
          assert.equal(batch.length, Math.min(most, produced - taken));
          for (const { data } of batch) assert.equal(data.value, taken++);
          batch.release();
        }
      },
    ),
    { seed: 20_261_122, numRuns: 300 },
  );
});

for (const [producers, consumers] of [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
  [3, 2],
  [2, 3],
] as const) {
  for (const [stages, batch] of [
    [2, 2],
    [4, 3],
    [8, 8],
  ] as const) {
    test(`${producers} to ${consumers}, ${stages} stages, batches of ${batch}`, async () => {
      const ring = createRing({
        stages,
        schema: { seq: 'i32', by: 'i32' },
        producers,
        consumers,
        timeoutMs: 20_000,
      });
      const outcomes = await runThreads(ring, [
        ...Array.from({ length: producers }, (_, number) => {
          return { side: 'producer' as const, number, items: 200, batch };
        }),
        ...Array.from({ length: consumers }, (_, number) => {
          return { side: 'consumer' as const, number, batch };
        }),
      ]);
      const seen = outcomes.slice(producers).flatMap(({ message }) => {
        assert.ok(Array.isArray(message), String(message));
        return message;
      });
      const expected = Array.from({ length: producers }, (_, by) =>
        Array.from({ length: 200 }, (_, seq) => by * 1_000_000 + seq),
      ).flat();
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        expected,
      );
      assert.deepEqual([ring.failure, ring.held()], [null, []]);
    });
  }
}
