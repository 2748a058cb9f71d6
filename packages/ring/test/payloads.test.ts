// Payloads beside numbers: text and JSON in fields, and bytes of a source in stages.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createRing, InputError, RingMisuse } from '#src/public';

const schema = { id: 'u8', name: ['utf8', 12], tags: ['json', 40], size: 'f64' } as const;

test('text and JSON values are fields', () => {
  const ring = createRing({ schema, stages: 2, debug: true });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  const values = [
    { name: '', tags: null },
    { name: 'größer €', tags: { a: [1, 'x'], b: { c: true } } },
    { name: '😀', tags: 'text' },
  ];
  for (const [id, { name, tags }] of values.entries()) {
    const tile = producer.acquireSync();
    Object.assign(tile.data, { id, name, tags, size: id / 2 });
    tile.release();
    const taken = consumer.acquireSync()!;
    const { data } = taken;
    assert.deepEqual([data.id, data.name, data.tags, data.size], [id, name, tags, id / 2]);
    taken.release();
  }
});

test('a text that does not fit, or has no form, is refused and leaves the field', () => {
  const { data } = createRing({ schema }).producer().acquireSync();
  data.name = 'before';
  data.tags = [1];
  const refused: readonly [() => unknown, RegExp][] = [
    [() => (data.name = 'x'.repeat(13)), /field name has 12 bytes, and its text needs 13/],
    [() => (data.name = 'half \ud83d'), /field name needs a well-formed text/],
    [() => (data.name = 1 as never), /field name needs a well-formed text, not 1/],
    [() => (data.tags = undefined), /field tags needs a value that JSON has a form of/],
    [() => (data.tags = 'x'.repeat(40)), /field tags has 40 bytes, and its text needs 42/],
  ];
  for (const [write, message] of refused) {
    assert.throws(write, (error) => error instanceof InputError && message.test(error.message));
  }
  assert.deepEqual([data.name, data.tags], ['before', [1]]);
});

test('a field with text that was never written is empty', () => {
  const { data } = createRing({ schema }).producer().acquireSync();
  assert.deepEqual([data.name, data.tags], ['', undefined]);
});

test('a text needs its bytes in the schema', () => {
  assert.throws(() => createRing({ schema: { name: 'utf8' as never } }), InputError);
  assert.throws(() => createRing({ schema: { name: ['utf8', 0] } }), InputError);
});

test('the bytes of a source go into stages, in order and whole', { timeout: 60_000 }, async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
  const chunks = [0, 1, 7, 300, 301, 900].map((from, at, all) => bytes.subarray(from, all[at + 1]));
  for (const source of [chunks, Readable.from(chunks), ReadableStream.from(chunks)]) {
    const ring = createRing({ bytes: 64, stages: 3 });
    const [producer, consumer] = [ring.producer(), ring.consumer()];
    const written = producer.write(source).then((count) => (producer.end(), count));
    const seen: number[] = [];
    for await (const tile of consumer) seen.push(...tile.copy());
    assert.deepEqual(seen, [...bytes]);
    assert.equal(await written, bytes.length);
  }
});

test('a source is closed if its bytes cannot be written', { timeout: 60_000 }, async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(64);
    } finally {
      isClosed = true;
    }
  }
  const ring = createRing({ bytes: 64, stages: 2 });
  const producer = ring.producer();
  ring.consumer().close();
  await assert.rejects(producer.write(source()), { name: 'RingClosed' });
  assert.ok(isClosed);
  producer.end();
  await assert.rejects(producer.write([new Uint8Array(1)]), RingMisuse);
});
