// The guarantees of a ring, as far as one thread can observe them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRing, RingClosed, RingMisuse, RingTimeout } from '#src/public';

test('items come out in the order in which they went in, and the stream ends', () => {
  const ring = createRing({ stages: 3, schema: { seq: 'i32' } });
  const producer = ring.producer();
  const consumer = ring.consumer();
  const got: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (let item = 0; item < 3; item++) {
      const tile = producer.acquireSync();
      tile.data.seq = round * 3 + item;
      tile.release();
    }
    assert.equal(producer.tryAcquire(), undefined, 'a full ring applies backpressure');
    for (let item = 0; item < 3; item++) {
      const tile = consumer.acquireSync()!;
      got.push(tile.data.seq);
      tile.release();
    }
    assert.equal(consumer.tryAcquire(), undefined);
  }
  assert.deepEqual(got, [...Array(15).keys()]);
  producer.close();
  assert.equal(consumer.acquireSync(), undefined);
  assert.deepEqual(ring.items(), { produced: 15, consumed: 15, inFlight: 0, unfinished: 0 });
});

test('a schema lays its fields out with their alignment', () => {
  const ring = createRing({
    stages: 2,
    schema: { flag: 'u8', samples: ['f32', 3], big: 'i64', last: ['u16', 2] },
  });
  assert.equal(ring.bytes, 28);
  const tile = ring.producer().acquireSync();
  tile.data.flag = 7;
  tile.data.samples.set([1.5, 2.5, 3.5]);
  tile.data.big = -5n;
  tile.data.last[1] = 9;
  tile.release();
  const seen = ring.consumer().acquireSync()!;
  assert.deepEqual(
    [seen.data.flag, [...seen.data.samples], seen.data.big, [...seen.data.last]],
    [7, [1.5, 2.5, 3.5], -5n, [0, 9]],
  );
  assert.equal(seen.data.samples.byteOffset % 4, 0);
  assert.equal(seen.bytes.byteOffset % 64, 0, 'payloads start at a cache line');
});

test('fill, copyFrom and copyTo move bytes of any memory', () => {
  const ring = createRing({ stages: 2, bytes: 10, scratch: 16 });
  const producer = ring.producer();
  const consumer = ring.consumer();
  const tile = producer.acquireSync();
  tile.fill(3);
  tile.copyFrom(Uint8Array.of(1, 2), 4);
  producer.scratch.fill(9);
  tile.copyFrom(producer.scratch.subarray(0, 2), 8);
  tile.length = 9;
  tile.release();
  const seen = consumer.acquireSync()!;
  assert.equal(seen.length, 9);
  const out = new Uint8Array(12);
  seen.copyTo(out);
  assert.deepEqual([...out], [3, 3, 3, 3, 1, 2, 3, 3, 9, 0, 0, 0]);
  seen.copyTo(consumer.scratch);
  assert.deepEqual([...consumer.scratch.subarray(0, 10)], [3, 3, 3, 3, 1, 2, 3, 3, 9, 0]);
  seen.release();
  assert.throws(() => producer.acquireSync().copyFrom(new Uint8Array(11)), RangeError);
  assert.throws(() => (producer.acquireSync().length = 11), RingMisuse);
});

test('a batch is acquired and released together, and is short at the end', () => {
  const ring = createRing({ stages: 4, bytes: 4 });
  const producer = ring.producer();
  const consumer = ring.consumer();
  const batch = producer.acquireBatchSync(3);
  for (const [at, tile] of [...batch].entries()) tile.view(Int32Array)[0] = at;
  assert.equal(consumer.tryAcquire(), undefined);
  batch.release();
  producer.close();
  const first = consumer.acquireBatchSync(2)!;
  assert.deepEqual(
    [...first].map((tile) => tile.view(Int32Array)[0]),
    [0, 1],
  );
  first.release();
  assert.equal(consumer.acquireBatchSync(2)!.length, 1);
  assert.equal(consumer.acquireBatchSync(2), undefined);
  assert.throws(() => consumer.acquireBatchSync(5), /a batch of ring ring has 1 to 4 tiles, not 5/);
});

test('a canceled stage is not an item', () => {
  for (const producers of [1, 2]) {
    const ring = createRing({ stages: 2, schema: { seq: 'i32' }, producers });
    const [producer, other] = [ring.producer(), producers > 1 ? ring.producer() : undefined];
    const consumer = ring.consumer();
    producer.acquireSync().cancel();
    const tile = producer.acquireSync();
    tile.data.seq = 5;
    tile.release();
    producer.close();
    other?.close();
    const seen: number[] = [];
    for (const { data } of consumer) seen.push(data.seq);
    assert.deepEqual(seen, [5]);
    assert.equal(ring.items().produced, 1);
  }
});

test('waits end in time, and say who waited for what', async () => {
  const ring = createRing({ stages: 1, bytes: 4, timeoutMs: 1, name: 'frames' });
  const producer = ring.producer('camera');
  const consumer = ring.consumer('screen');
  const full = {
    name: 'RingTimeout',
    message: /consumer screen waited 1 ms for frames\.full\[0\]/,
  };
  assert.throws(() => consumer.acquireSync(), full);
  await assert.rejects(consumer.acquire(), full);
  producer.acquireSync().release();
  assert.throws(() => producer.acquireSync({ timeoutMs: 2 }), RingTimeout);
  assert.throws(() => producer.drainSync(), RingTimeout);
  assert.equal(ring.failure, null, 'a time-out is not a failure of the ring');
  consumer.acquireSync()!.release();
  producer.drainSync();
  await producer.drain();
});

test('an AbortSignal ends an async wait with its reason', async () => {
  const ring = createRing({ stages: 1, bytes: 4 });
  const consumer = ring.consumer();
  const controller = new AbortController();
  const waiting = consumer.acquire({ signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(consumer.acquire({ signal: AbortSignal.abort('gone') }), /gone/);
});

test('async iteration gives tiles back as its rounds end', async () => {
  const ring = createRing({ stages: 2, schema: { seq: 'i32' } });
  const producer = ring.producer();
  const feed = async (): Promise<void> => {
    for (let seq = 0; seq < 20; seq++) {
      const tile = await producer.acquire();
      tile.data.seq = seq;
      tile.release();
    }
    producer.close();
  };
  const fed = feed();
  const got: number[] = [];
  for await (const tile of ring.consumer()) got.push(tile.data.seq);
  await fed;
  assert.deepEqual(got, [...Array(20).keys()]);
});

test('with broadcast every consumer sees every item, and one that leaves is not waited for', () => {
  fc.assert(
    fc.property(
      fc.record({
        stages: fc.integer({ min: 1, max: 4 }),
        leaveAfter: fc.nat(9),
        lead: fc.nat(3),
      }),
      ({ stages, leaveAfter, lead }) => {
        const ring = createRing({
          stages,
          schema: { seq: 'i32' },
          consumers: 2,
          delivery: 'broadcast',
          timeoutMs: 0,
        });
        const producer = ring.producer();
        const [stays, leaves] = [ring.consumer(), ring.consumer()];
        const got: [number[], number[]] = [[], []];
        let [count, isOpen] = [0, true];
        for (let round = 0; round < 200 && got[0].length < 12; round++) {
          const free = count < 12 ? producer.tryAcquire() : undefined;
          if (free !== undefined) {
            free.data.seq = count++;
            free.release();
          }
          // The one that leaves may be ahead of the other, or behind it.
          if (isOpen && got[1].length === leaveAfter) {
            leaves.close();
            isOpen = false;
          }
          const other = isOpen ? leaves.tryAcquire() : undefined;
          if (other !== undefined) {
            got[1].push(other.data.seq);
            other.release();
          }
          const tile = round >= lead ? stays.tryAcquire() : undefined;
          if (tile !== undefined) {
            got[0].push(tile.data.seq);
            tile.release();
          }
        }
        assert.deepEqual(got[0], [...Array(12).keys()]);
        assert.deepEqual(got[1], [...Array(leaveAfter).keys()]);
      },
    ),
    { seed: 20_261_120, numRuns: 300 },
  );
});

test('a producer learns that every consumer has closed', () => {
  const ring = createRing({ stages: 1, bytes: 4 });
  const producer = ring.producer();
  ring.consumer().close();
  producer.acquireSync().release();
  assert.throws(() => producer.acquireSync(), RingClosed);
  // Another consumer takes the place and continues where the last one stopped.
  ring.consumer().acquireSync()!.release();
  producer.acquireSync().release();
  assert.throws(() => ring.consumer(), /ring ring has 1 consumer, and all are in use/);
});

test('options that make no ring are refused in one line', () => {
  for (const [options, message] of [
    [{ stages: 0, bytes: 4 }, /the stages of ring ring must be a whole number from 1 to 65535/],
    [{ stages: 1, bytes: -1 }, /the bytes of ring ring/],
    [{ stages: 1, bytes: 4, schema: { a: 'f64' } }, /the bytes of ring ring/],
    [{ stages: 1, schema: { a: 'f16' } }, /the type of field a must be i8, .*, not 'f16'/],
    [{ stages: 1, schema: { a: ['f32', 0] } }, /the length of field a must be a whole number/],
    [{ stages: 1, bytes: 4, policy: 'hope' }, /the policy of a ring must be auto, spin/],
    [{ stages: 65_535, bytes: 2 ** 20 }, /more than 4 GiB/],
  ] as const) {
    assert.throws(() => createRing(options as never), { name: 'InputError', message });
  }
});
