// A held stage is released exactly once; an unfinished tile never reaches a consumer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRing, RingMisuse, RingPoisoned, type RingStage } from '#src/public';

const HERE = /ownership\.test\.ts:\d+:\d+/;

test('releasing twice throws, with and without debug', () => {
  for (const debug of [false, true]) {
    const ring = createRing({ stages: 2, bytes: 4, debug });
    const tile = ring.producer().acquireSync();
    tile.release();
    assert.throws(
      () => tile.release(),
      (error) => error instanceof RingMisuse && error.rule === 'double-release',
    );
  }
});

test('with debug, every use after the release throws and names three lines', () => {
  const ring = createRing({ stages: 1, schema: { seq: 'i32' }, debug: true });
  const producer = ring.producer();
  const consumer = ring.consumer();
  const tile = producer.acquireSync();
  tile.data.seq = 1;
  tile.release();
  const uses: ((stale: RingStage<{ seq: 'i32' }>) => unknown)[] = [
    (stale) => stale.data.seq,
    (stale) => stale.bytes,
    (stale) => stale.view(Int32Array),
    (stale) => stale.fill(0),
    (stale) => stale.length,
    (stale) => (stale.length = 1),
  ];
  for (const use of uses) {
    assert.throws(
      () => use(tile),
      (error) => {
        assert.ok(error instanceof RingMisuse && error.rule === 'use-after-release');
        assert.equal(error.message.match(new RegExp(HERE, 'g'))!.length, 3, error.message);
        return true;
      },
    );
  }
  // The handle of an earlier acquire is not the one of the next, although the stage is.
  consumer.acquireSync()!.release();
  const next = producer.acquireSync();
  assert.throws(() => tile.release(), /is released again/);
  next.release();
});

test('a producer’s scope that ends without a release poisons the ring', () => {
  const ring = createRing({ stages: 2, bytes: 4, name: 'r', debug: true });
  const producer = ring.producer('maker');
  const consumer = ring.consumer();
  assert.throws(() => {
    using tile = producer.acquireSync();
    tile.fill(1);
    throw new Error('halfway');
  }, /halfway/);
  for (const wait of [() => consumer.acquireSync(), () => producer.acquireSync().release()]) {
    assert.throws(wait, (error) => {
      assert.ok(error instanceof RingPoisoned);
      assert.deepEqual([error.role, error.side, error.stages], ['maker', 'producer', [0]]);
      assert.match(error.line!, HERE);
      const { unfinished, ...items } = error.items;
      assert.deepEqual(items, { produced: 0, consumed: 0, inFlight: 0 });
      assert.ok(unfinished >= 1);
      return true;
    });
  }
});

test('a producer’s scope may release, and a consumer’s scope does', () => {
  const ring = createRing({ stages: 1, bytes: 4 });
  const producer = ring.producer();
  const consumer = ring.consumer();
  for (let round = 0; round < 3; round++) {
    {
      using tile = producer.acquireSync();
      tile.release();
    }
    {
      using _tile = consumer.acquireSync()!;
    }
  }
  assert.deepEqual(ring.items(), { produced: 3, consumed: 3, inFlight: 0, unfinished: 0 });
});

test('each reports the error thrown by its callback, and its line', () => {
  const ring = createRing({ stages: 2, bytes: 4 });
  const fill = (_tile: unknown, number: number): void => {
    if (number === 1) throw new TypeError('no frame');
  };
  assert.throws(() => ring.producer('maker').each(fill), /no frame/);
  const { failure } = ring;
  assert.equal(failure?.cause, 'TypeError: no frame');
  assert.match(failure!.line!, HERE);
  assert.deepEqual(failure!.stages, [1]);
});

test('closing while holding a stage is a leak and poisons the ring', () => {
  const ring = createRing({ stages: 2, bytes: 4 });
  const producer = ring.producer();
  producer.acquireSync();
  assert.throws(
    () => producer.close(),
    (error) => error instanceof RingMisuse && error.rule === 'leaked-stage',
  );
  assert.throws(() => ring.consumer().acquireSync(), RingPoisoned);
  assert.deepEqual(
    ring.held().map(({ role, stages }) => [role, stages]),
    [['producer', [0]]],
  );
});

test('with debug, a garbage-collected handle is reported with the line of its acquire', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const ring = createRing({ stages: 2, bytes: 4, debug: true });
  const consumer = ring.consumer();
  (() => void ring.producer('maker').acquireSync())();
  for (let round = 0; round < 50 && ring.failure === null; round++) {
    await pause(1);
    gc();
  }
  assert.match(
    ring.failure!.cause,
    /the handle of stage 0 was garbage-collected without a release/,
  );
  assert.match(ring.failure!.line!, HERE);
  await assert.rejects(consumer.acquire(), RingPoisoned);
});

test('with debug, repeated calls from one line are sampled, and errors mention it', () => {
  const ring = createRing({ stages: 2, bytes: 4, debug: true });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const round = () => {
    const tile = producer.acquireSync();
    tile.release();
    consumer.acquireSync()!.release();
    return tile;
  };
  const messageOf = (tile: RingStage) => {
    try {
      tile.release();
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing';
  };
  assert.doesNotMatch(messageOf(round()), /sampled/);
  for (let tile = 0; tile < 100; tile++) round();
  const message = messageOf(round());
  assert.match(
    message,
    /acquired at .*ownership\.test\.ts:\d+:\d+ \(sampled: the line of an earlier call\)/,
  );
  // Alternating lines are never sampled: every call captures its line.
  const two = createRing({ stages: 2, bytes: 4, debug: true });
  const [maker, taker] = [two.producer(), two.consumer()];
  for (let tile = 0; tile < 100; tile++) {
    maker.acquireSync().release();
    const second = maker.acquireSync();
    second.release();
    taker.acquireSync()!.release();
    taker.acquireSync()!.release();
    if (tile > 50) assert.doesNotMatch(messageOf(second), /acquired at \S+ \(sampled/);
  }
  assert.equal(ring.failure, null);
});
