// Waits of one endpoint that overlap, and their time limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createRing, RingTimeout } from '#src/public';

const schema = { value: 'i32' } as const;

for (const [producers, debug] of [
  [1, false],
  [1, true],
  [2, false],
] as const) {
  test(`concurrent acquires get stages of their own, in order: ${producers}, ${debug}`, async () => {
    const ring = createRing({ stages: 2, schema, producers, debug, timeoutMs: 5000 });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    const order: number[] = [];
    const acquires = [0, 1, 2, 3, 4].map(async (number) => {
      const tile = await producer.acquire();
      order.push(number);
      tile.data.value = number;
      tile.release();
    });
    const seen: number[] = [];
    while (seen.length < 5) {
      const tile = (await consumer.acquire())!;
      seen.push(tile.data.value);
      tile.release();
    }
    await Promise.all(acquires);
    assert.deepEqual(
      [order, seen],
      [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
      ],
    );
  });
}

test('two loops over one consumer share its items', async () => {
  const ring = createRing({ stages: 2, schema });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const { data } of consumer) {
      seen.push(data.value);
      await pause(0);
    }
  };
  const loops = [read(), read()];
  for (let value = 0; value < 20; value++) {
    const tile = await producer.acquire();
    tile.data.value = value;
    tile.release();
  }
  producer.end();
  await Promise.all(loops);
  assert.deepEqual(seen, [...Array(20).keys()]);
});

test('a call that blocks may take what another one waits for', async () => {
  const ring = createRing({ stages: 1, schema, timeoutMs: 5000 });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const waiting = consumer.acquire();
  await pause(5);
  producer.acquireSync().release();
  consumer.tryAcquire()!.release();
  await pause(20);
  const tile = producer.acquireSync();
  tile.data.value = 7;
  tile.release();
  assert.equal((await waiting)!.data.value, 7);
});

test('a wait that gives up while it is queued takes no stage', async () => {
  const ring = createRing({ stages: 1, schema, timeoutMs: 5000 });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const stop = new AbortController();
  const first = consumer.acquire();
  const second = assert.rejects(consumer.acquire({ timeoutMs: 10 }), RingTimeout);
  const third = assert.rejects(consumer.acquire({ signal: stop.signal }), /stop it/);
  const last = consumer.acquire();
  await second;
  stop.abort(new Error('stop it'));
  await third;
  for (const waiting of [first, last]) {
    producer.acquireSync().release();
    (await waiting)!.release();
  }
  assert.deepEqual(ring.items(), { produced: 2, consumed: 2, inFlight: 0, unfinished: 0 });
});

test('all waits of an endpoint end with the stream, and with a failure', async () => {
  for (const how of ['end', 'fail'] as const) {
    const ring = createRing({ stages: 1, schema, timeoutMs: 5000 });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    const waits = [consumer.acquire(), consumer.acquire(), consumer.acquire()];
    const settled = Promise.allSettled(waits);
    await pause(5);
    if (how === 'end') producer.end();
    else producer.fail(new Error('no more'));
    const states = (await settled).map(({ status }) => status);
    const expected = how === 'end' ? 'fulfilled' : 'rejected';
    assert.deepEqual(states, [expected, expected, expected]);
  }
});

test('a time limit is a number of at least 0', async () => {
  for (const timeoutMs of [Number.NaN, -1, -Infinity, '50', null, {}] as never[]) {
    assert.throws(() => createRing({ stages: 1, schema, timeoutMs }), { name: 'InputError' });
    const ring = createRing({ stages: 1, schema });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    for (const wait of [
      () => producer.acquireSync({ timeoutMs }),
      () => consumer.acquireSync({ timeoutMs }),
      () => producer.acquireBatchSync(1, { timeoutMs }),
      () => consumer.acquireBatchSync(1, { timeoutMs }),
      () => producer.drainSync({ timeoutMs }),
    ]) {
      assert.throws(wait, { name: 'InputError', message: /timeoutMs must be a number/ });
    }
    for (const wait of [
      () => producer.acquire({ timeoutMs }),
      () => consumer.acquire({ timeoutMs }),
      () => producer.drain({ timeoutMs }),
    ]) {
      await assert.rejects(wait, { name: 'InputError' });
    }
    assert.deepEqual(ring.held(), []);
  }
  for (const timeoutMs of [0, 0.5, 3, Infinity]) {
    const ring = createRing({ stages: 1, schema, timeoutMs });
    ring.producer().acquireSync({ timeoutMs }).release();
    ring.consumer().acquireSync()!.release();
    if (timeoutMs < 5) assert.throws(() => ring.consumer(), /all are in use/);
  }
});

test('a time limit of no time looks once', () => {
  const ring = createRing({ stages: 1, schema });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  assert.throws(() => consumer.acquireSync({ timeoutMs: 0 }), RingTimeout);
  producer.acquireSync({ timeoutMs: 0 }).release();
  assert.throws(() => producer.acquireSync({ timeoutMs: 0.5 }), RingTimeout);
});
