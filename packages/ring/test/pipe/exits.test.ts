// Every way in which a pipe ends: the cause is reported, nothing comes twice, no thread is left.
import assert from 'node:assert/strict';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { pipe, PipeError, type PipeOptions, type PipeStage } from '#src/public';
import type { Item } from './stages.ts';

const STAGES = new URL('./stages.ts', import.meta.url);
const ITEMS = 200;
/** The item at which the failing parts fail. */
const BROKEN = 40;
const LIMIT = { timeout: 60_000 };

const itemOf = (id: number): Item => ({ id, text: `item ${id}` });

/** The items, without end if there are so many; `state` says whether its scope was left. */
function source({ items = ITEMS, failAt = -1, hangAt = -1 } = {}) {
  const state = { read: 0, isClosed: false };
  async function* generate(): AsyncGenerator<Item> {
    try {
      for (let id = 0; id < items; id++) {
        if (id === failAt) throw new RangeError(`item ${id} is broken`);
        if (id === hangAt) await new Promise(() => {});
        state.read++;
        yield itemOf(id);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, items: generate() };
}

/** A sink that records what it gets. */
function recorder() {
  const seen: unknown[] = [];
  return { seen, sink: (item: unknown) => void seen.push(item) };
}

const idsOf = (seen: readonly unknown[]): number[] => (seen as Item[]).map(({ id }) => id);

function requireOnce(seen: readonly unknown[]): void {
  const ids = idsOf(seen);
  assert.equal(new Set(ids).size, ids.length, 'no item comes twice');
  assert.ok(ids.every((id) => id >= 0 && id < ITEMS));
}

/** What keeps this process alive; a worker does. */
async function active(): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().sort();
}

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail('the pipe has ended well'),
    (error: unknown) => error,
  );
}

interface Failure {
  readonly name: string;
  readonly stages: PipeStage | readonly PipeStage[];
  readonly source?: Parameters<typeof source>[0];
  readonly sink?: (item: unknown) => unknown;
  readonly options?: PipeOptions;
  /** The failed stage, the pattern of its cause, and of the stack of that. */
  readonly stage: string;
  readonly cause: RegExp;
  readonly stack?: RegExp;
  readonly worker?: number;
}

const throwAtBroken = (item: unknown): unknown => {
  if ((item as Item).id === BROKEN) throw new RangeError(`item ${BROKEN} is broken`);
  return item;
};

const inStages = /stages\.ts:\d+/;
const broken = /RangeError: item 40 is broken/;
const FAILURES: readonly Failure[] = [
  {
    name: 'the source throws',
    source: { failAt: BROKEN },
    stages: { same: STAGES },
    stage: 'source',
    cause: broken,
  },
  {
    name: 'a stage throws',
    stages: { failing: STAGES },
    stage: 'failing',
    cause: broken,
    stack: inStages,
    worker: 0,
  },
  {
    name: 'one of two workers throws',
    stages: { failing: STAGES, workers: 2 },
    stage: 'failing',
    cause: broken,
    stack: inStages,
  },
  {
    name: 'an ordered stage throws',
    stages: { failing: STAGES, workers: 2, ordered: true },
    stage: 'failing',
    cause: broken,
    stack: inStages,
  },
  {
    name: 'the second of three stages throws',
    stages: [{ same: STAGES }, { failing: STAGES }, { double: STAGES }],
    stage: 'failing',
    cause: broken,
    stack: inStages,
    worker: 0,
  },
  {
    name: 'a promise of a stage is rejected',
    stages: { rejecting: STAGES },
    stage: 'rejecting',
    cause: broken,
    stack: inStages,
    worker: 0,
  },
  {
    name: 'a generator throws',
    stages: { failingGenerator: STAGES },
    stage: 'failingGenerator',
    cause: broken,
    stack: inStages,
    worker: 0,
  },
  {
    name: 'a stage throws in a callback',
    stages: { failingLater: STAGES },
    stage: 'failingLater',
    cause: broken,
    stack: inStages,
    worker: 0,
  },
  {
    name: 'a stage exits',
    stages: { exiting: STAGES, workers: 2 },
    stage: 'exiting',
    cause: /its thread ended with code 3/,
  },
  {
    name: 'a result cannot be passed on',
    stages: { uncloneable: STAGES },
    stage: 'uncloneable',
    cause: /could not be cloned/,
    worker: 0,
  },
  {
    name: 'a stage on this thread throws',
    stages: [{ same: STAGES }, { check: throwAtBroken }, { double: STAGES }],
    stage: 'check',
    cause: broken,
  },
  {
    name: 'all is on this thread',
    stages: [{ check: throwAtBroken }],
    stage: 'check',
    cause: broken,
  },
  {
    name: 'the sink throws',
    stages: { same: STAGES, workers: 2 },
    sink: throwAtBroken,
    stage: 'sink',
    cause: broken,
  },
  {
    name: 'the sink rejects',
    stages: { same: STAGES },
    sink: async (item) => throwAtBroken(item),
    stage: 'sink',
    cause: broken,
  },
  {
    name: 'there is no such module',
    stages: { same: new URL('./none.ts', import.meta.url) },
    stage: 'same',
    cause: /Cannot find module/,
    worker: 0,
  },
  {
    name: 'the module has no such function',
    stages: { none: STAGES },
    stage: 'none',
    cause: /exports no function none and no default one, but .*double/,
    worker: 0,
  },
  {
    name: 'an item is too large',
    stages: { same: STAGES },
    options: { bytes: 16 },
    stage: 'source',
    cause: /bytes does not fit into a stage of 16: set the option bytes/,
  },
  {
    name: 'a generator cannot be ordered',
    stages: { twice: STAGES, workers: 2, ordered: true },
    stage: 'twice',
    cause: /cannot be ordered/,
  },
];

for (const { name, stages, options, sink, stage, cause, stack, worker, ...rest } of FAILURES) {
  test(`${name}: the pipe fails, and all of it has ended`, LIMIT, async () => {
    const before = await active();
    const from = source(rest.source);
    const { seen, sink: record } = recorder();
    const run = pipe(from.items, stages, (item: unknown) => (record(item), sink?.(item)), options);
    const error = await rejectionOf(run.done);
    assert.ok(error instanceof PipeError, String(error));
    assert.equal(error.stage, stage);
    assert.match(`${(error.cause as Error).name}: ${(error.cause as Error).message}`, cause);
    if (stack !== undefined) assert.match((error.cause as Error).stack!, stack);
    if (worker !== undefined) assert.equal(error.worker, worker);
    assert.ok(from.state.isClosed || from.state.read === 0, 'the source is closed');
    if (stage !== 'double') requireOnce(seen);
    assert.deepEqual(await active(), before);
  });
}

test('a thread that is terminated ends the pipe', LIMIT, async () => {
  const before = await active();
  const workers: Worker[] = [];
  const notice = (worker: Worker): void => void workers.push(worker);
  process.on('worker', notice);
  const { seen, sink } = recorder();
  const { items, state } = source({ items: Infinity });
  const run = pipe(items, { same: STAGES, workers: 2 }, sink);
  const done = rejectionOf(run.done);
  while (seen.length < BROKEN) await new Promise((resolve) => setImmediate(resolve));
  process.off('worker', notice);
  await workers.at(-1)!.terminate();
  const error = await done;
  assert.ok(error instanceof PipeError, String(error));
  assert.deepEqual([error.stage, error.worker], ['same', 1]);
  assert.ok(state.isClosed);
  assert.deepEqual(await active(), before);
});

const ABORTS: readonly Pick<Failure, 'name' | 'stages' | 'source'>[] = [
  { name: 'while items flow', stages: { same: STAGES, workers: 2 }, source: { items: Infinity } },
  { name: 'while the source waits', stages: { same: STAGES }, source: { hangAt: BROKEN } },
  { name: 'while a stage is stuck', stages: { stuck: STAGES } },
  {
    name: 'with all on this thread',
    stages: [{ same: (item: Item) => item }],
    source: { items: Infinity },
  },
  {
    name: 'while order is waited for',
    stages: { stuck: STAGES, workers: 2, ordered: true },
    source: { items: Infinity },
  },
];

for (const { name, stages, source: options } of ABORTS) {
  test(`a pipe is aborted ${name}`, LIMIT, async () => {
    const before = await active();
    const controller = new AbortController();
    const { items, state } = source(options);
    const { seen, sink } = recorder();
    const run = pipe(items, stages, sink, { signal: controller.signal });
    const done = rejectionOf(run.done);
    while (seen.length < BROKEN) await new Promise((resolve) => setImmediate(resolve));
    const reason = new Error('enough');
    controller.abort(reason);
    assert.equal(await done, reason);
    const { length } = seen;
    assert.equal(new Set(idsOf(seen)).size, length);
    assert.ok(state.isClosed || options?.hangAt !== undefined);
    assert.deepEqual(await active(), before);
    assert.equal(seen.length, length, 'nothing comes afterwards');
  });
}

test('what a stage of this thread returns after the end goes nowhere', LIMIT, async () => {
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => void (go = resolve));
  let started = (): void => {};
  const begun = new Promise<void>((resolve) => void (started = resolve));
  const { seen, sink } = recorder();
  const late = async (item: Item): Promise<Item> => {
    started();
    await gate;
    return item;
  };
  const run = pipe(source().items, { late }, sink);
  const done = rejectionOf(run.done);
  await begun;
  await run.cancel('enough');
  assert.equal(await done, 'enough');
  go();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(seen, []);
});

test('a source whose items go nowhere ends with the pipe', LIMIT, async () => {
  const { items, state } = source({ items: Infinity });
  const run = pipe(items, { none: () => undefined }, () => {});
  const done = rejectionOf(run.done);
  while (run.progress().read < BROKEN) await new Promise((resolve) => setImmediate(resolve));
  await run.cancel('enough');
  assert.equal(await done, 'enough');
  const { read } = state;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([state.read, state.isClosed], [read, true]);
});

test('a signal that is aborted already starts nothing', LIMIT, async () => {
  const before = await active();
  const { items, state } = source();
  const run = pipe(items, { same: STAGES }, () => {}, { signal: AbortSignal.abort('no') });
  assert.equal(await rejectionOf(run.done), 'no');
  assert.equal(state.read, 0);
  assert.deepEqual(await active(), before);
});

test('leaving the loop over a pipe ends it', LIMIT, async () => {
  const before = await active();
  for (const stages of [
    { same: STAGES, workers: 2 },
    { first: STAGES },
    { same: (item: Item) => item },
  ]) {
    const { items, state } = source({ items: Infinity });
    const seen: Item[] = [];
    for await (const item of pipe<Item>(items, stages)) {
      seen.push(item);
      if (seen.length === 10) break;
    }
    assert.equal(seen.length, 10);
    requireOnce(seen);
    assert.ok(state.isClosed);
  }
  assert.deepEqual(await active(), before);
});

test('an error of the loop, and one of the pipe in the loop', LIMIT, async () => {
  const before = await active();
  const loop = async (stage: string): Promise<void> => {
    for await (const { id } of pipe<Item>(source().items, { [stage]: STAGES })) {
      if (id === BROKEN + 1) throw new TypeError('of the loop');
    }
  };
  assert.match(String(await rejectionOf(loop('same'))), /TypeError: of the loop/);
  assert.ok((await rejectionOf(loop('failing'))) instanceof PipeError);
  assert.deepEqual(await active(), before);
});

test('the end of its scope cancels a pipe', LIMIT, async () => {
  const before = await active();
  const { items, state } = source({ items: Infinity });
  const leave = async (): Promise<void> => {
    await using run = pipe(items, { alive: STAGES }, () => {});
    while (run.progress().written < 3) await new Promise((resolve) => setImmediate(resolve));
    throw new RangeError('of the scope');
  };
  assert.match(String(await rejectionOf(leave())), /of the scope/);
  assert.ok(state.isClosed);
  assert.deepEqual(await active(), before);
});

test('what comes later needs no more: the pipe ends well', LIMIT, async () => {
  const before = await active();
  const { items, state } = source({ items: Infinity });
  const { seen, sink } = recorder();
  const progress = await pipe(
    items,
    [{ same: STAGES, workers: 2, ordered: true }, { first: STAGES }],
    sink,
  ).done;
  assert.deepEqual(idsOf(seen), [...Array(BROKEN + 1).keys()]);
  assert.equal(progress.written, BROKEN + 1);
  assert.ok(state.isClosed);
  assert.deepEqual(await active(), before);
});

test('a stage that keeps its thread alive does not keep the pipe alive', LIMIT, async () => {
  const before = await active();
  const { seen, sink } = recorder();
  await pipe(source().items, { alive: STAGES }, sink).done;
  assert.equal(seen.length, ITEMS);
  assert.deepEqual(await active(), before);
});

test('the ends that are streams are closed with the pipe', LIMIT, async () => {
  const readable = Readable.from(source({ items: Infinity }).items);
  const written: unknown[] = [];
  const writable = new Writable({
    objectMode: true,
    write(item: Item, _encoding, done) {
      written.push(item);
      done(item.id === BROKEN ? new Error('the disk is full') : null);
    },
  });
  const error = await rejectionOf(pipe(readable, { same: STAGES }, writable).done);
  assert.match(String(error), /sink failed: Error: the disk is full/);
  assert.ok(readable.destroyed && writable.destroyed);

  let canceled: unknown;
  const web = new ReadableStream<Item>({
    pull: (controller) => controller.enqueue(itemOf(0)),
    cancel: (reason) => void (canceled = reason),
  });
  let aborted: unknown;
  const sink = new WritableStream<Item>({ abort: (reason) => void (aborted = reason) });
  const run = pipe(web, { same: STAGES }, sink);
  while (run.progress().written < 3) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error('enough');
  await run.cancel(reason);
  assert.deepEqual([canceled, aborted], [reason, reason]);
});
