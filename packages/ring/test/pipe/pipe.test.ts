// Items through a pipe: all of them arrive, once and as they were, whatever the ends and stages.
import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { pipe, wholeLines, type PipeSink, type PipeSource, type PipeStage } from '#src/public';
import type { Item } from './stages.ts';

const STAGES = new URL('./stages.ts', import.meta.url);
const ITEMS = 150;
const LIMIT = { timeout: 60_000 };
const items: readonly Item[] = Array.from({ length: ITEMS }, (_, id) => ({
  id,
  text: `item ${id}`,
}));
const ids = items.map(({ id }) => id);

async function* slowly(): AsyncGenerator<Item> {
  for (const item of items) {
    if (item.id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    yield item;
  }
}

const SOURCES: Readonly<Record<string, () => PipeSource<Item>>> = {
  array: () => items,
  generator: slowly,
  readable: () => Readable.from(slowly()),
  web: () => ReadableStream.from(slowly()),
};

const SINKS: Readonly<Record<string, (seen: unknown[]) => PipeSink<never>>> = {
  function: (seen) => (item: Item) => void seen.push(item),
  async: (seen) => async (item: Item) => {
    await Promise.resolve();
    seen.push(item);
  },
  writable: (seen) =>
    new Writable({
      objectMode: true,
      highWaterMark: 2,
      write(item: Item, _encoding, done) {
        seen.push(item);
        setImmediate(done);
      },
    }),
  web: (seen) => new WritableStream<Item>({ write: (item) => void seen.push(item) }),
};

for (const [from, open] of Object.entries(SOURCES)) {
  for (const [to, sinkOf] of Object.entries(SINKS)) {
    test(`every item goes from ${from} to ${to}, in order`, LIMIT, async () => {
      const seen: unknown[] = [];
      const { read, written } = await pipe(open(), { same: STAGES }, sinkOf(seen)).done;
      assert.deepEqual(seen, items);
      assert.deepEqual([read, written], [ITEMS, ITEMS]);
    });
  }
}

const half = ({ id, text }: Item): Item => ({ id: id / 2, text });
const SHAPES: readonly {
  stages: PipeStage | readonly PipeStage[];
  ids: readonly number[];
  isOrdered?: boolean;
}[] = [
  { stages: [], ids, isOrdered: true },
  { stages: { same: STAGES, workers: 3 }, ids },
  { stages: { jumbled: STAGES, workers: 3, ordered: true }, ids, isOrdered: true },
  {
    stages: { even: STAGES, workers: 2, ordered: true },
    ids: ids.filter((id) => id % 2 === 0),
    isOrdered: true,
  },
  {
    stages: [
      { jumbled: STAGES, workers: 2, ordered: true },
      { even: STAGES, workers: 2, ordered: true },
    ],
    ids: ids.filter((id) => id % 2 === 0),
    isOrdered: true,
  },
  { stages: [{ same: STAGES, workers: 2 }, { double: STAGES, workers: 2 }, { half }], ids },
  { stages: [{ double: STAGES }, { half }, { double: STAGES }, { half }], ids, isOrdered: true },
  { stages: { twice: STAGES }, ids: ids.flatMap((id) => [id, id]), isOrdered: true },
  { stages: { twice: STAGES, workers: 2 }, ids: ids.flatMap((id) => [id, id]) },
];

for (const { stages, ids: expected, isOrdered = false } of SHAPES) {
  for (const depth of [1, 8]) {
    test(`stages ${JSON.stringify(stages)}, depth ${depth}`, LIMIT, async () => {
      const seen: Item[] = [];
      const run = pipe(items, stages, (item: Item) => void seen.push(item), { depth });
      const { read, written } = await run.done;
      const found = seen.map(({ id }) => id);
      assert.deepEqual(isOrdered ? found : found.sort((a, b) => a - b), expected);
      assert.deepEqual([read, written], [ITEMS, expected.length]);
    });
  }
}

test('the counts of each stage', LIMIT, async () => {
  const stages = [{ even: STAGES, workers: 2, ordered: true }, { sum: STAGES }];
  const sums: number[] = [];
  const progress = await pipe(items, stages, (sum: number) => void sums.push(sum)).done;
  assert.deepEqual(sums, [ids.filter((id) => id % 2 === 0).reduce((sum, id) => sum + id)]);
  assert.deepEqual(progress, {
    read: ITEMS,
    written: 1,
    stages: [
      { stage: 'even', workers: 2, taken: ITEMS, passed: ITEMS / 2 },
      { stage: 'sum', workers: 1, taken: ITEMS / 2, passed: 1 },
    ],
  });
});

test('items of every kind arrive as they were', LIMIT, async () => {
  const kinds: unknown[] = [
    0,
    -0,
    1.5,
    Number.NaN,
    -Infinity,
    '',
    'text',
    'ä€😀',
    'half \ud83d of a pair',
    true,
    null,
    12n,
    new Uint8Array(),
    Uint8Array.of(1, 2, 3),
    Buffer.from('bytes'),
    Float32Array.of(1, 2.5),
    new Date(0),
    new Map([['a', { b: [1, [], 3] }]]),
    { deep: { text: 'x' }, none: undefined },
    [undefined],
  ];
  const seen: unknown[] = [];
  for await (const item of pipe(kinds, { same: STAGES })) seen.push(item);
  assert.deepEqual(seen, kinds);
  assert.ok(Buffer.isBuffer(seen[kinds.findIndex((kind) => Buffer.isBuffer(kind))]));
});

test('lines are cut where they end', async () => {
  const text = 'one\ntwo\n\nthree\nfour';
  for (const size of [1, 2, 3, 7, 100]) {
    const bytes = new TextEncoder().encode(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const parts: string[] = [];
    for await (const part of wholeLines(chunks, 6)) parts.push(new TextDecoder().decode(part));
    assert.equal(parts.join(''), text);
    assert.ok(
      parts.every((part) => part.length <= 6),
      JSON.stringify(parts),
    );
    assert.ok(
      parts.slice(0, -1).every((part) => part.endsWith('\n')),
      JSON.stringify(parts),
    );
  }
});

test('what is no pipe is refused before anything starts', () => {
  const sink = (): void => {};
  const cases: readonly [() => unknown, RegExp][] = [
    [() => pipe(1 as never, { same: STAGES }), /source of a pipe must be/],
    [() => pipe([], { same: STAGES }, {} as never), /sink of a pipe must be/],
    [() => pipe([], {}, sink), /a stage of a pipe has one name/],
    [() => pipe([], { a: STAGES, b: STAGES }, sink), /a stage of a pipe has one name/],
    [() => pipe([], { same: 'x' as never }, sink), /stage same of a pipe must be the URL/],
    [() => pipe([], { same: STAGES, workers: 0 }, sink), /workers of stage same must be/],
    [() => pipe([], { half, workers: 2 }, sink), /stage half is a function/],
    [() => pipe([], { same: STAGES }, sink, { dept: 1 } as never), /dept/],
  ];
  for (const [start, message] of cases) assert.throws(start, message);
});

test('a pipe is read once, and only without a sink', LIMIT, async () => {
  const run = pipe(items, { same: (item: Item) => item }, () => {});
  await assert.rejects(run[Symbol.asyncIterator]().next(), /only where it has no sink/);
  await run.done;
});

test('a pipe is described without running it', () => {
  const stages = [{ same: STAGES, workers: 2, ordered: true }, { double: STAGES }, { half }];
  assert.deepEqual(pipe.describe(stages, { name: 'p', bytes: 64 }), {
    pipe: 'p',
    groups: [
      { stages: [], workers: 0, isOrdered: false },
      { stages: ['same'], workers: 2, isOrdered: true },
      { stages: [], workers: 0, isOrdered: false },
      { stages: ['double'], workers: 1, isOrdered: false },
      { stages: ['half'], workers: 0, isOrdered: false },
    ],
    links: [
      { depth: 64, producers: 1, consumers: 2 },
      { depth: 64, producers: 2, consumers: 1 },
      { depth: 64, producers: 1, consumers: 1 },
      { depth: 64, producers: 1, consumers: 1 },
    ],
  });
});
