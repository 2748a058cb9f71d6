// tier: main, alone
// Which waits spin before they sleep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spinLimitsOf } from '#src/policy/index';
import { isMiddleThread } from '#src/middle-threads';
import { createRing } from '#src/public';

const spins = (name: 'auto' | 'spin' | 'wait', threads: number, cpus: number): boolean[] => {
  const { plain, middle } = spinLimitsOf(name, threads, cpus);
  return [plain > 0, middle > 0];
};

test('auto spins where each thread has a CPU', () => {
  assert.deepEqual(spins('auto', 2, 2), [true, true]);
  assert.deepEqual(spins('auto', 2, 8), [true, true]);
  assert.deepEqual(spins('auto', 2, 1), [false, false]);
});

test('with one thread more than CPUs, middle threads spin and leave a CPU free', () => {
  assert.deepEqual(spins('auto', 3, 2), [false, true]);
  assert.deepEqual(spins('auto', 9, 8), [false, true]);
  assert.deepEqual(spins('auto', 4, 2), [false, false]);
});

test('the other policies do not depend on middle threads', () => {
  assert.deepEqual(spins('spin', 3, 2), [false, false]);
  assert.deepEqual(spins('wait', 1, 8), [false, false]);
});

test('a thread is a middle thread while it has open ends of both sides', () => {
  const [from, to] = [createRing({ stages: 2, bytes: 4 }), createRing({ stages: 2, bytes: 4 })];
  assert.equal(isMiddleThread(), false);
  const consumer = from.consumer();
  assert.equal(isMiddleThread(), false);
  {
    using producer = to.producer();
    assert.equal(producer.side, 'producer');
    assert.equal(isMiddleThread(), true);
  }
  assert.equal(isMiddleThread(), false);
  consumer.close();
  consumer.close();
  const producer = from.producer();
  assert.equal(isMiddleThread(), false, 'an end that is closed twice counts once');
  producer.close();
});
