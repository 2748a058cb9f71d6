// The thread of a stage: reads items from one ring, and writes results to the next.
import { InputError } from '../../../core/src/base/index.ts';
import type { Consumer } from '../consumer.ts';
import { RingClosed, RingPoisoned } from '../errors.ts';
import { builtinModule } from '../platform.ts';
import type { Producer } from '../producer.ts';
import { attachRing } from '../ring.ts';
import { kindOf } from './apply.ts';
import { NO_RESULT, readItem, writeItem, type ItemSchema } from './codec.ts';
import { isThenable } from './ends.ts';
import type { StageJob, StageReport } from './messages.ts';
import type { PipeFunction } from './plan.ts';

type From = Consumer<ItemSchema>;
type To = Producer<ItemSchema>;
type AnyFunction = (items: unknown) => unknown;

interface WebScope {
  readonly addEventListener: (
    type: string,
    listener: (event: { readonly data: StageJob }) => void,
    options: { readonly once: boolean },
  ) => void;
  readonly postMessage: (message: StageReport) => void;
}

const threads = builtinModule('node:worker_threads');
const scope = globalThis as unknown as WebScope;
const post = (report: StageReport): void =>
  threads === undefined ? scope.postMessage(report) : threads.parentPort!.postMessage(report);

function report(error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  try {
    post({ type: 'failed', error, name });
  } catch {
    // What it carries cannot be cloned.
    const { message, stack } = error as Error;
    const plain = Object.assign(new Error(message), { stack });
    post({ type: 'failed', error: plain, name });
  }
}

async function functionOf({ stage, module }: StageJob): Promise<PipeFunction> {
  const exported = (await import(module)) as Record<string, unknown>;
  const found = exported[stage] ?? exported['default'];
  if (typeof found === 'function') return found as PipeFunction;
  const names = Object.keys(exported).join(', ');
  throw new InputError(
    `${module} exports no function ${stage} and no default one, but ${names || 'nothing'}`,
  );
}

function put(to: To, item: unknown, order: number): void {
  const tile = to.acquireSync();
  try {
    writeItem(tile, item, order);
  } catch (error) {
    tile.cancel();
    throw error;
  }
  tile.release();
}

/** One result for each item. Once a result is a promise, no wait blocks the thread any more. */
async function workOnEach(
  work: AnyFunction,
  from: From,
  to: To,
  isOrdered: boolean,
): Promise<void> {
  let isAsync = false;
  for (;;) {
    const tile = from.tryAcquire() ?? (isAsync ? await from.acquire() : from.acquireSync());
    if (tile === undefined) return;
    const { order } = tile.data;
    const item = readItem(tile);
    tile.release();
    let result = work(item);
    if (isThenable(result)) {
      isAsync = true;
      result = await result;
    }
    if (result !== undefined) put(to, result, order);
    else if (isOrdered) put(to, NO_RESULT, order);
  }
}

function* itemsOf(from: From): Generator<unknown, void, void> {
  for (let tile; (tile = from.acquireSync()) !== undefined;) {
    const item = readItem(tile);
    tile.release();
    yield item;
  }
}

async function* itemsOfAsync(from: From): AsyncGenerator<unknown, void, void> {
  for (let tile; (tile = from.tryAcquire() ?? (await from.acquire())) !== undefined;) {
    const item = readItem(tile);
    tile.release();
    yield item;
  }
}

async function work(job: StageJob, from: From, to: To): Promise<void> {
  const found = await functionOf(job);
  const kind = kindOf(found);
  if (kind === 'plain') return workOnEach(found as AnyFunction, from, to, job.isOrdered);
  if (job.isOrdered) {
    throw new InputError(
      `stage ${job.stage} is a generator, whose results belong to no item: it cannot be ordered`,
    );
  }
  const generator = found as AnyFunction;
  if (kind === 'generator') {
    for (const result of generator(itemsOf(from)) as Iterable<unknown>) put(to, result, 0);
    return;
  }
  for await (const result of generator(itemsOfAsync(from)) as AsyncIterable<unknown>) {
    put(to, result, 0);
  }
}

async function run(job: StageJob): Promise<void> {
  const rings = { from: attachRing(job.from), to: attachRing(job.to) };
  await Promise.all([rings.from.watched(), rings.to.watched()]);
  const from = rings.from.consumer();
  const to = rings.to.producer();
  try {
    await work(job, from, to);
    to.end();
    from.close();
    post({ type: 'ended' });
  } catch (error) {
    if (error instanceof RingClosed) {
      // What comes after this stage needs no more, and so does this one not.
      to.end();
      from.close();
      return post({ type: 'ended' });
    }
    if (error instanceof RingPoisoned) post({ type: 'ended' });
    else report(error);
    for (const end of [from, to]) end.fail(error);
  }
}

if (threads === undefined) {
  scope.addEventListener('message', ({ data }) => void run(data), { once: true });
} else {
  // An error of the code above is one of this thread.
  await run(threads.workerData as StageJob);
}
