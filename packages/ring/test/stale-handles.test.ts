// A handle that was released is refused for good, however often its stage is acquired again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRing, RingMisuse, type RingMisuseRule, type RingStage } from '#src/public';

const schema = { value: 'i32', more: ['u8', 4] } as const;
const STAGES = 3;
type Tile = RingStage<typeof schema>;

const SHAPES = [
  { producers: 1, consumers: 1 },
  { producers: 2, consumers: 1 },
  { producers: 1, consumers: 2 },
  { producers: 2, consumers: 2, debug: true },
  { producers: 1, consumers: 1, debug: true },
];

function open(shape: (typeof SHAPES)[number]) {
  const ring = createRing({ stages: STAGES, schema, timeoutMs: 200, ...shape });
  const [producer, consumer] = [ring.producer('maker'), ring.consumer('reader')];
  /** Passes so many items on, and returns the first handle of each side. */
  const pass = (items: number, first = 0): { put: Tile; taken: Tile } => {
    const handles = Array.from({ length: items }, (_, number) => {
      const put = producer.acquireSync();
      put.data.value = first + number;
      put.release();
      const taken = consumer.acquireSync()!;
      assert.equal(taken.data.value, first + number);
      taken.release();
      return { put, taken };
    });
    return handles[0]!;
  };
  return { ring, producer, consumer, pass };
}

function requireMisuse(rule: RingMisuseRule, use: () => unknown): void {
  assert.throws(use, (error) => {
    assert.ok(error instanceof RingMisuse, String(error));
    assert.equal(error.rule, rule);
    assert.match(error.message, /stage \d of ring ring/);
    return true;
  });
}

for (const shape of SHAPES) {
  const name = JSON.stringify(shape);

  for (const laps of [0, 1, 2, STAGES]) {
    test(`a second release after ${laps} laps releases nothing: ${name}`, () => {
      const { ring, producer, consumer, pass } = open(shape);
      const old = pass(1);
      // At the end, stage 0 is the next one again.
      if (laps > 0) pass(STAGES * laps - 1, 1);
      const filling = producer.acquireSync();
      assert.equal(filling.index, laps === 0 ? 1 : 0);
      requireMisuse('double-release', () => old.put.release());
      requireMisuse('double-release', () => old.put.cancel());
      assert.equal(consumer.tryAcquire(), undefined, 'the stage is still being filled');
      filling.data.value = -1;
      filling.release();
      const reading = consumer.acquireSync()!;
      requireMisuse('double-release', () => old.taken.release());
      assert.deepEqual(
        ring.held().map(({ role }) => role),
        ['reader'],
      );
      assert.equal(reading.data.value, -1);
      reading.release();
      assert.deepEqual([ring.failure, ring.held()], [null, []]);
    });
  }

  test(`every use of a stale handle is refused while its stage is held again: ${name}`, () => {
    const { producer, pass } = open(shape);
    const { put, taken } = pass(STAGES);
    const filling = producer.acquireSync();
    filling.data.value = 7;
    for (const tile of [put, taken]) {
      for (const use of [
        () => tile.bytes,
        () => tile.data.value,
        () => (tile.data.value = 1),
        () => tile.data.more,
        () => tile.view(Int32Array),
        () => tile.length,
        () => (tile.length = 1),
        () => tile.fill(1),
        () => tile.copyFrom(Uint8Array.of(1)),
        () => tile.copyTo(new Uint8Array(1)),
        () => tile.copy(),
      ]) {
        requireMisuse('use-after-release', use);
      }
    }
    assert.equal(filling.data.value, 7);
  });

  test(`a scope that ends after a release ends nothing else: ${name}`, () => {
    const { ring, producer, consumer, pass } = open(shape);
    {
      using early = producer.acquireSync();
      early.release();
      using read = consumer.acquireSync()!;
      read.release();
      pass(STAGES - 1);
      producer.acquireSync();
    }
    assert.equal(ring.failure, null);
    assert.equal(consumer.tryAcquire(), undefined);
    assert.deepEqual(
      ring.held().map(({ role }) => role),
      ['maker'],
    );
  });

  test(`a batch that was released is refused, and its tiles are: ${name}`, () => {
    const { ring, producer, consumer } = open(shape);
    const batch = producer.acquireBatchSync(STAGES);
    const [first] = batch.tiles;
    batch.release();
    const taken = consumer.acquireBatchSync(STAGES)!;
    taken.release();
    const again = producer.acquireBatchSync(STAGES);
    requireMisuse('double-release', () => batch.release());
    requireMisuse('double-release', () => batch.release(1));
    requireMisuse('double-release', () => taken.release());
    requireMisuse('use-after-release', () => first!.data);
    batch[Symbol.dispose]();
    assert.equal(consumer.tryAcquire(), undefined);
    again.tiles[1]!.release();
    assert.throws(() => again.release(), { rule: 'double-release' });
    assert.equal(ring.failure, null);
  });
}

test('where a role restarts, the handles of the endpoint that was left are stale', () => {
  for (const producers of [1, 2]) {
    const options = { stages: 2, schema, producers, timeoutMs: 200 } as const;
    const ring = createRing({ ...options, afterDeath: 'restart' });
    const dead = ring.producer();
    const old = dead.acquireSync();
    dead[Symbol.dispose]();
    const filling = ring.producer().acquireSync();
    assert.equal(filling.index, old.index);
    requireMisuse('double-release', () => old.release());
    assert.equal(ring.consumer().tryAcquire(), undefined);
    filling.release();
  }
});
