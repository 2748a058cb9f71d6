// The register that endpoints of a side share: one that looked long ago takes no stage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRing } from '#src/public';
import type { Sequencer } from '../src/sequencer.ts';

const schema = { value: 'i32' } as const;
/** So often a lap with 16 bits comes back. */
const LAPS = 65_536;

for (const stages of [1, 2, 3]) {
  test(`a stage that was looked at ${LAPS} laps ago is not taken: ${stages} stages`, () => {
    const ring = createRing({ stages, schema, producers: 2, consumers: 2, timeoutMs: 1000 });
    const [slow, fast, consumer] = [ring.producer(), ring.producer(), ring.consumer()];
    const { sequencer } = slow as unknown as { readonly sequencer: Sequencer };
    sequencer.refresh();
    assert.ok(sequencer.isReady());
    const items = stages * LAPS;
    for (let item = 0; item < items; item++) {
      const tile = fast.acquireSync();
      tile.data.value = item;
      tile.release();
      // The items of the last lap are not read yet.
      if (item < items - stages) consumer.acquireSync()!.release();
    }
    assert.equal(sequencer.claim(), -1);
    assert.deepEqual([ring.items().inFlight, ring.held()], [stages, []]);
  });

  test(`the laps of ${stages} stages go on where their bits end`, () => {
    const ring = createRing({ stages, schema, producers: 2, consumers: 2, timeoutMs: 1000 });
    const producer = ring.producer();
    const consumer = ring.consumer();
    const states = [producer, consumer] as unknown as readonly {
      readonly words: Int32Array;
      readonly sequencer: Sequencer;
    }[];
    // As after all laps but the last two, which are an even number.
    const bits = stages === 1 ? 0 : stages === 2 ? 1 : 2;
    for (const at of [16, 32]) states[0]!.words[at] = -2 << bits;
    for (let item = 0; item < stages * 6; item++) {
      const tile = producer.acquireSync();
      tile.data.value = item;
      tile.release();
      const taken = consumer.acquireSync()!;
      assert.deepEqual([taken.index, taken.data.value], [item % stages, item]);
      taken.release();
    }
  });
}
