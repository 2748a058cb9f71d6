// What a thread is transferred is the ring that it takes it for; and the bytes that count in a tile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachRing, createRing, type RingStage } from '#src/public';

const schema = { a: 'i32', xs: ['f32', 4] } as const;

test('only what transfer() returned is attached', () => {
  const ring = createRing({ stages: 4, schema });
  const transferred = ring.transfer();
  const other = createRing({ stages: 4, schema: { b: 'i32', xs: ['f32', 4] } }).transfer();
  const page = new SharedArrayBuffer(1 << 16);
  for (const [wrong, message] of [
    [undefined, /attachRing needs what ring\.transfer\(\) returned: this is undefined/],
    [{}, /it has no shape/],
    [{ ...transferred, memory: page }, /it has no shared memory/],
    [{ ...transferred, memory: { buffer: new ArrayBuffer(64) } }, /it has no shared memory/],
    [{ ...transferred, memory: { buffer: page } }, /is not the memory of a ring/],
    [{ ...transferred, memory: other.memory }, /is that of another ring/],
    [{ ...transferred, shape: other.shape }, /is that of another ring/],
    [{ ...transferred, shape: { ...transferred.shape, stages: 5 } }, /is that of another ring/],
  ] as const) {
    assert.throws(() => attachRing(wrong as never), { name: 'InputError', message });
  }
  assert.equal(attachRing(transferred, schema).stages, 4);
  const wrong = { a: 'i32', ys: ['f32', 4] };
  assert.throws(
    () => attachRing(transferred, wrong as never),
    /another schema, with the fields: a, xs/,
  );
});

test('a field that the schema does not have cannot be assigned', () => {
  const tile = createRing({ stages: 1, schema }).producer().acquireSync();
  assert.throws(() => Object.assign(tile.data, { b: 1 }), TypeError);
});

test('an option that no ring has is refused', () => {
  assert.throws(
    () => createRing({ stages: 2, byte: 64 } as never),
    /a ring has no option 'byte': did you mean 'bytes'\?/,
  );
});

test('copyFrom sets the length, in one part or in several', () => {
  const ring = createRing({ stages: 1, bytes: 16 });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const through = (fill: (tile: RingStage) => void): string => {
    const tile = producer.acquireSync();
    fill(tile);
    tile.release();
    const taken = consumer.acquireSync()!;
    const copied = taken.copy();
    assert.ok(copied.buffer instanceof ArrayBuffer);
    assert.equal(copied.length, taken.length);
    taken.release();
    return new TextDecoder().decode(copied);
  };
  assert.equal(
    through((tile) => tile.copyFrom(text('a secret message'))),
    'a secret message',
  );
  assert.equal(
    through((tile) => tile.copyFrom(text('hi'))),
    'hi',
  );
  const parts = (tile: RingStage): void => {
    tile.copyFrom(text('body'), 4);
    tile.copyFrom(text('head'));
  };
  assert.equal(through(parts), 'headbody');
  assert.equal(through(() => {}).length, 16);
  assert.equal(
    through((tile) => void (tile.length = 3)),
    'hea',
  );
  const shorter = (tile: RingStage): void => {
    tile.copyFrom(text('12345678'));
    tile.length = 2;
  };
  assert.equal(through(shorter), '12');
  producer.acquireSync().release();
  assert.throws(() => consumer.acquireSync()!.copyFrom(text('x')), /only a producer/);
});

for (const bytes of [1, 7, 64, 255, 256, 257, 5000]) {
  test(`tiles of ${bytes} bytes are filled and copied to the byte`, () => {
    const ring = createRing({ stages: 2, bytes, scratch: bytes });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    const first = producer.acquireSync();
    const second = producer.acquireSync();
    second.fill(0);
    first.fill(0x1a5);
    assert.ok(first.bytes.every((byte) => byte === 0xa5));
    assert.ok(second.bytes.every((byte) => byte === 0));
    producer.scratch.fill(9);
    second.copyFrom(producer.scratch.subarray(0, bytes - 1));
    first.release();
    second.release();
    consumer.acquireSync()!.copyTo(consumer.scratch);
    assert.ok(consumer.scratch.every((byte) => byte === 0xa5));
    assert.deepEqual([...consumer.acquireSync()!.copy()], Array(bytes - 1).fill(9));
  });
}

test('a failure of any length is read as a failure', () => {
  for (const [cause, held] of [
    ['ü'.repeat(5000), 1000],
    ['失'.repeat(5000), 0],
    ['\n'.repeat(5000), 1],
    ['😀'.repeat(5000), 500],
    ['\ud800 "\\', 2],
    ['', 0],
  ] as const) {
    const ring = createRing({ stages: 1024, bytes: 8, name: 'r' });
    const producer = ring.producer('maker '.repeat(100));
    if (held > 0) producer.acquireBatchSync(held);
    producer.fail(new Error(cause));
    const failure = ring.failure!;
    assert.equal(failure.name, 'RingPoisoned');
    assert.equal(failure.stages.length, held);
    assert.doesNotMatch(failure.message.slice(0, 1000), /\ufffd\ufffd/);
    assert.throws(() => ring.consumer().acquireSync(), { name: 'RingPoisoned' });
  }
});

test('small rings and many rings need no more addresses than memory', () => {
  const rings = Array.from({ length: 2000 }, () => createRing({ stages: 2, bytes: 64 }));
  const large = Array.from({ length: 600 }, () => createRing({ stages: 2, bytes: 1024 }));
  for (const ring of [...rings.slice(-3), ...large.slice(-3)]) {
    const tile = ring.producer().acquireSync();
    tile.fill(7);
    tile.release();
    assert.ok(
      ring
        .consumer()
        .acquireSync()!
        .bytes.every((byte) => byte === 7),
    );
  }
});
