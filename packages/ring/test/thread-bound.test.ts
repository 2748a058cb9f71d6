// What belongs to a thread is not posted, and a ring has as many stages as suit its items.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { createRing, RingMisuse } from '#src/public';

test('a ring and its endpoints cannot be posted', () => {
  const ring = createRing({ bytes: 4 });
  const { port1 } = new MessageChannel();
  for (const bound of [ring, ring.producer(), ring.consumer()]) {
    for (const copy of [() => port1.postMessage({ bound }), () => structuredClone(bound)]) {
      assert.throws(copy, (error) => {
        assert.ok(error instanceof RingMisuse, String(error));
        assert.match(error.message, /belongs to its thread .* post ring\.transfer\(\)/);
        return true;
      });
    }
    assert.match(inspect(bound), /^(?:Ring|Producer|Consumer) \{/);
  }
  port1.postMessage({ transferred: ring.transfer() });
  port1.close();
});

test('a ring of small items has 64 stages, and others have 8', () => {
  assert.equal(createRing({ schema: { value: 'i32' } }).stages, 64);
  assert.equal(createRing({ bytes: 4095 }).stages, 64);
  assert.equal(createRing({ bytes: 4096 }).stages, 8);
  assert.equal(createRing({ bytes: 4096, stages: 3 }).stages, 3);
});
