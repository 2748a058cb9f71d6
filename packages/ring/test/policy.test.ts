// Which waits look before they sleep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksOf } from '#src/policy/index';
import { isRelay } from '#src/middle-threads';
import { createRing } from '#src/public';

const looks = (name: 'auto' | 'spin' | 'wait', threads: number, cpus: number): boolean[] => {
  const { plain, relay } = looksOf(name, threads, cpus);
  return [plain > 0, relay > 0];
};

test('auto looks where each thread has a CPU', () => {
  assert.deepEqual(looks('auto', 2, 2), [true, true]);
  assert.deepEqual(looks('auto', 2, 8), [true, true]);
  assert.deepEqual(looks('auto', 2, 1), [false, false]);
});

test('with one thread more than CPUs, relays look, and always leave a CPU', () => {
  assert.deepEqual(looks('auto', 3, 2), [false, true]);
  assert.deepEqual(looks('auto', 9, 8), [false, true]);
  assert.deepEqual(looks('auto', 4, 2), [false, false]);
});

test('the other policies ask nobody', () => {
  assert.deepEqual(looks('spin', 3, 2), [false, false]);
  assert.deepEqual(looks('wait', 1, 8), [false, false]);
});

test('a thread is a relay while it has open ends of both sides', () => {
  const [from, to] = [createRing({ stages: 2, bytes: 4 }), createRing({ stages: 2, bytes: 4 })];
  assert.equal(isRelay(), false);
  const consumer = from.consumer();
  assert.equal(isRelay(), false);
  {
    using producer = to.producer();
    assert.equal(producer.side, 'producer');
    assert.equal(isRelay(), true);
  }
  assert.equal(isRelay(), false);
  consumer.close();
  consumer.close();
  const producer = from.producer();
  assert.equal(isRelay(), false, 'an end that is closed twice counts once');
  producer.close();
});
