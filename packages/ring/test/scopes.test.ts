// Leaving the scope of an endpoint: only a stream that was ended looks whole to its consumers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRing, RelayScope, RingPoisoned, type Ring } from '#src/public';

const schema = { value: 'i32' } as const;
type Numbers = Ring<typeof schema>;
const numbers = (stages = 8): Numbers => createRing({ stages, schema, timeoutMs: 2000 });

function put(producer: ReturnType<Numbers['producer']>, value: number): void {
  const tile = producer.acquireSync();
  tile.data.value = value;
  tile.release();
}

function rest(ring: Numbers): number[] {
  const seen: number[] = [];
  for (const tile of ring.consumer()) seen.push(tile.data.value);
  return seen;
}

test('an exception that leaves the scope of a producer is no end of the stream', () => {
  const ring = numbers();
  assert.throws(() => {
    using producer = ring.producer('maker');
    for (let value = 0; value < 3; value++) put(producer, value);
    throw new Error('half of it');
  }, /half of it/);
  assert.throws(() => rest(ring), RingPoisoned);
  assert.match(ring.failure!.cause, /scope exited before end\(\)/);
  assert.equal(ring.failure!.role, 'maker');
});

test('so is a return, and the end of an asynchronous scope', async () => {
  const [first, second] = [numbers(), numbers()];
  const leave = (ring: Numbers): void => {
    using producer = ring.producer();
    if (ring.stages > 0) return;
    producer.end();
  };
  leave(first);
  assert.throws(() => rest(first), RingPoisoned);
  await assert.rejects(async () => {
    await using producer = second.producer();
    (await producer.acquire()).release();
    throw new Error('half of it');
  }, /half of it/);
  await assert.rejects(second.consumer().acquire(), RingPoisoned);
});

for (const ending of ['end', 'close'] as const) {
  test(`a stream that was ended by ${ending}() is whole`, async () => {
    const ring = numbers();
    {
      await using producer = ring.producer();
      for (let value = 0; value < 3; value++) put(producer, value);
      producer[ending]();
    }
    assert.deepEqual([rest(ring), ring.failure], [[0, 1, 2], null]);
  });
}

test('one of two producers that leaves its scope poisons, in any order', () => {
  for (const order of [0, 1]) {
    const ring = createRing({ stages: 8, schema, producers: 2, timeoutMs: 500 });
    const both = [ring.producer('first'), ring.producer('second')];
    for (const producer of both) put(producer, 1);
    if (order === 0) both[0]!.end();
    both[1]![Symbol.dispose]();
    if (order === 1) both[0]!.end();
    assert.equal(ring.failure!.role, 'second');
    assert.throws(() => rest(ring), RingPoisoned);
  }
});

test('so it is where every consumer has closed: another one may take the place', () => {
  const ring = numbers();
  ring.consumer().close();
  const producer = ring.producer();
  put(producer, 1);
  producer[Symbol.dispose]();
  assert.throws(() => rest(ring), RingPoisoned);
});

test('fail() says why, with the line of the error', () => {
  const ring = numbers();
  const producer = ring.producer('maker');
  producer.fail(new TypeError('no frame'));
  producer.close();
  assert.equal(ring.failure!.cause, 'TypeError: no frame');
  assert.match(ring.failure!.line!, /scopes\.test\.ts:\d+:\d+/);
});

/** A relay from one ring to another that ends, fails or returns after some items. */
function relay(from: Numbers, to: Numbers, how: 'end' | 'throw' | 'return'): void {
  const [consumer, producer] = [from.consumer('relay'), to.producer('relay')];
  using scope = new RelayScope(consumer, producer);
  for (const tile of consumer) {
    if (tile.data.value === 2 && how === 'throw') throw new Error('a bad item');
    if (tile.data.value === 2 && how === 'return') return;
    put(producer, tile.data.value * 10);
  }
  scope.end();
}

test('a relay ends both of its ends together', () => {
  const [from, to] = [numbers(), numbers()];
  const source = from.producer();
  for (let value = 0; value < 5; value++) put(source, value);
  source.end();
  relay(from, to, 'end');
  assert.deepEqual([rest(to), from.failure, to.failure], [[0, 10, 20, 30, 40], null, null]);
});

for (const how of ['throw', 'return'] as const) {
  test(`a relay that leaves its scope by ${how} poisons both of its rings`, () => {
    const [from, to] = [numbers(), numbers()];
    const source = from.producer();
    for (let value = 0; value < 5; value++) put(source, value);
    if (how === 'throw') assert.throws(() => relay(from, to, how), /a bad item/);
    else relay(from, to, how);
    assert.deepEqual([from.failure?.role, to.failure?.role], ['relay', 'relay']);
    assert.throws(() => rest(to), RingPoisoned);
    assert.throws(() => put(source, 9), RingPoisoned);
  });
}

test('a relay that ends while it holds a tile poisons both rings', () => {
  const [from, to] = [numbers(), numbers()];
  const [consumer, producer] = [from.consumer(), to.producer()];
  producer.acquireSync();
  const scope = new RelayScope(consumer, producer);
  assert.throws(() => scope.end(), /closes while it holds stage 0/);
  assert.notEqual(to.failure, null);
});

test('a consumer that has read the whole stream has done its part', () => {
  const ring = numbers();
  const producer = ring.producer();
  put(producer, 1);
  producer.end();
  const consumer = ring.consumer();
  assert.equal(consumer.acquireSync()!.data.value, 1);
  assert.equal(consumer.acquireBatchSync(1), undefined);
  assert.equal(ring.held().length, 1);
});
