// The place of a role that has closed or died is taken again, and nothing is lost with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createRing, RingClosed, type Ring } from '#src/public';
import type { RestartJob } from './restart-worker.ts';

const schema = { value: 'i32' } as const;
type Numbers = Ring<typeof schema>;
const CODE = new URL('./restart-worker.ts', import.meta.url);

function put(producer: ReturnType<Numbers['producer']>, value: number): void {
  const tile = producer.acquireSync();
  tile.data.value = value;
  tile.release();
}

for (const [producers, consumers] of [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
] as const) {
  test(`a closed consumer is replaced: ${producers} to ${consumers}`, () => {
    const ring = createRing({ stages: 3, schema, producers, consumers, timeoutMs: 1000 });
    const producer = ring.producer();
    for (let value = 0; value < 20; value++) {
      put(producer, value);
      const consumer = ring.consumer();
      const tile = consumer.acquireSync()!;
      assert.equal(tile.data.value, value);
      tile.release();
      consumer.close();
    }
    assert.equal(ring.failure, null);
  });

  test(`a stage that a dead role held goes to the next one: ${producers} to ${consumers}`, () => {
    const options = { stages: 3, schema, producers, consumers, timeoutMs: 1000 } as const;
    const ring = createRing({ ...options, afterDeath: 'restart' });
    const seen: number[] = [];
    for (let value = 0; value < 10; value++) {
      try {
        using producer = ring.producer();
        producer.acquireSync();
        throw new Error('died while it was filling');
      } catch {
        // The next one fills the same stage.
      }
      const producer = ring.producer();
      put(producer, value);
      producer[Symbol.dispose]();
      try {
        using consumer = ring.consumer();
        consumer.acquireSync();
        throw new Error('died while it was reading');
      } catch {
        // The next one reads the same item.
      }
      const consumer = ring.consumer();
      const tile = consumer.acquireSync()!;
      seen.push(tile.data.value);
      tile.release();
      consumer.close();
    }
    assert.deepEqual(seen, [...Array(10).keys()]);
    assert.deepEqual([ring.failure, ring.held()], [null, []]);
  });
}

test('batches of a dead role are taken again as a whole', () => {
  for (const producers of [1, 2]) {
    const options = { stages: 4, schema, producers, timeoutMs: 100 } as const;
    const ring = createRing({ ...options, afterDeath: 'restart' });
    const dead = ring.producer();
    dead.acquireBatchSync(3);
    dead[Symbol.dispose]();
    const next = ring.producer();
    const batch = next.acquireBatchSync(4);
    assert.deepEqual(
      [...batch].map(({ index }) => index),
      [0, 1, 2, 3],
    );
    for (const [value, { data }] of [...batch].entries()) data.value = value;
    batch.release();
    const reader = ring.consumer();
    reader.acquireBatchSync(2);
    reader[Symbol.dispose]();
    const again = ring.consumer();
    const values: number[] = [];
    while (values.length < 4) {
      const taken = again.acquireBatchSync(4)!;
      values.push(...[...taken].map(({ data }) => data.value));
      taken.release();
    }
    assert.deepEqual(values, [0, 1, 2, 3]);
  }
});

test('without restart, what a dead role held is not read again', () => {
  const ring = createRing({ stages: 2, schema, consumers: 2, timeoutMs: 1000 });
  put(ring.producer(), 1);
  const dead = ring.consumer();
  dead.acquireSync();
  dead[Symbol.dispose]();
  assert.throws(() => ring.consumer().acquireSync(), { name: 'RingPoisoned' });
  assert.throws(() => ring.consumer(), /all are in use/);
});

test('a stream that has ended is not taken up again', () => {
  const ring = createRing({ stages: 3, schema, producers: 2, timeoutMs: 100 });
  const [first, second] = [ring.producer(), ring.producer()];
  first.end();
  const third = ring.producer();
  third.end();
  second.end();
  assert.throws(() => ring.producer(), /the stream of ring ring has ended/);
  assert.equal(ring.consumer().acquireSync(), undefined);
});

test('producers hear of the end of the consumers only while there are none', () => {
  const ring = createRing({ stages: 1, schema, consumers: 2, timeoutMs: 50 });
  const producer = ring.producer();
  put(producer, 1);
  for (let round = 0; round < 3; round++) {
    const [first, second] = [ring.consumer(), ring.consumer()];
    assert.throws(() => producer.acquireSync(), { name: 'RingTimeout' });
    first.close();
    second.close();
    assert.throws(() => producer.acquireSync(), RingClosed);
  }
});

test('broadcast cannot restart a role, nor replace a consumer', () => {
  const options = { stages: 1, schema, consumers: 2, delivery: 'broadcast' } as const;
  assert.throws(() => createRing({ ...options, afterDeath: 'restart' }), { name: 'InputError' });
  const ring = createRing(options);
  ring.consumer().close();
  ring.consumer();
  assert.throws(() => ring.consumer(), /all are in use/);
});

for (const how of ['terminate', 'exit'] as const) {
  test(`a consumer that dies by ${how} again and again loses no item`, async () => {
    const ITEMS = 2000;
    const options = { stages: 4, schema, timeoutMs: 30_000 } as const;
    const ring = createRing({ ...options, afterDeath: 'restart' });
    const log = new Int32Array(new SharedArrayBuffer(4 * (ITEMS + 1)));
    let deaths = 0;
    const run = async (): Promise<void> => {
      for (;;) {
        const job: RestartJob = { ring: ring.transfer('reader'), log, how };
        const worker = new Worker(CODE, { workerData: job });
        const exit = new Promise<number>((resolve) => worker.on('exit', resolve));
        worker.on('message', () => void worker.terminate());
        const code = await exit;
        if (code === 0) return;
        deaths++;
      }
    };
    const reading = run();
    const producer = ring.producer();
    for (let value = 0; value < ITEMS; value++) {
      const tile = await producer.acquire();
      tile.data.value = value;
      tile.release();
    }
    producer.end();
    await reading;
    const times = [...log.subarray(0, ITEMS)];
    assert.ok(
      times.every((count) => count >= 1),
      'every item came',
    );
    const again = times.reduce((sum, count) => sum + count - 1, 0);
    assert.ok(deaths > 0 && again <= deaths * 4, `${again} items came again in ${deaths} deaths`);
    assert.equal(ring.failure, null);
  });
}
