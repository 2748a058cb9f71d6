// A group of stages on the thread that started the pipe: it waits without blocking the thread.
import type { Consumer } from '../consumer.ts';
import { RingClosed, RingPoisoned } from '../errors.ts';
import type { Producer } from '../producer.ts';
import type { Ring } from '../ring.ts';
import { applied } from './apply.ts';
import { readItem, writeItem, type ItemSchema } from './codec.ts';
import { isThenable, type OpenSink, type OpenSource } from './ends.ts';
import { PipeError } from './errors.ts';
import type { OrderWindow } from './order.ts';
import { Pause } from './pause.ts';
import type { PlannedGroup } from './plan.ts';

/** What a group on this thread is connected with. */
export interface GroupEnds {
  readonly pipe: string;
  readonly group: PlannedGroup;
  /** Where its items come from: the source, or a ring. */
  readonly source: OpenSource;
  readonly from: Ring<ItemSchema> | undefined;
  /** The ring that its results go to; `undefined` at the end of the pipe. */
  readonly to: Ring<ItemSchema> | undefined;
  /** The order of the workers before it and after it, if they are ordered. */
  readonly orderBefore: OrderWindow | undefined;
  readonly orderAfter: OrderWindow | undefined;
  /** Whether the pipe has ended, while the source may still have items. */
  readonly isOver: () => boolean;
}

export class LocalGroup {
  readonly #ends: GroupEnds;
  taken = 0;
  passed = 0;

  constructor(ends: GroupEnds) {
    this.#ends = ends;
  }

  /** The results of the group, for what reads the pipe. */
  async *results(): AsyncGenerator<unknown, void, void> {
    for await (const item of this.#results()) {
      this.#requireRunning();
      this.passed++;
      yield item;
    }
  }

  async writeTo(sink: OpenSink): Promise<void> {
    for await (const item of this.#results()) {
      this.#requireRunning();
      const writing = sink.write(item);
      if (isThenable(writing)) await writing;
      this.passed++;
    }
    this.#requireRunning();
    await sink.close();
  }

  /** Throws after the end of the pipe: what a stage of this thread returns then goes nowhere. */
  #requireRunning(): void {
    const { pipe, isOver } = this.#ends;
    if (isOver()) throw new RingClosed(`pipe ${pipe} has ended`);
  }

  async writeToRing(): Promise<void> {
    const { to, orderAfter } = this.#ends;
    const producer: Producer<ItemSchema> = to!.producer();
    try {
      for await (const item of this.#results()) {
        const order = orderAfter === undefined ? 0 : await orderAfter.enter();
        const tile = producer.tryAcquire() ?? (await producer.acquire());
        try {
          writeItem(tile, item, order);
        } catch (error) {
          tile.cancel();
          throw error;
        }
        tile.release();
        this.passed++;
      }
      producer.end();
    } catch (error) {
      // What comes after it needs no more: that is no failure.
      if (error instanceof RingClosed) return producer.end();
      producer.fail(error);
      throw error;
    }
  }

  #results(): AsyncIterable<unknown> {
    const { pipe, group, from } = this.#ends;
    let items = from === undefined ? this.#itemsOfSource() : this.#itemsOfRing(from);
    for (const { name, work } of group.work) {
      if (!(work instanceof URL)) items = named(pipe, name, applied(name, work, items));
    }
    return items;
  }

  async *#itemsOfSource(): AsyncGenerator<unknown, void, void> {
    const { pipe, source } = this.#ends;
    const pause = new Pause();
    let hasEnded = false;
    try {
      for (;;) {
        const next = source.next();
        const { done, value } = isThenable(next) ? await next : next;
        this.#requireRunning();
        if ((hasEnded = done === true)) return;
        this.taken++;
        yield value;
        if (pause.isDue) await pause.take();
      }
    } catch (error) {
      hasEnded = true;
      throw error instanceof RingClosed ? error : new PipeError(pipe, 'source', null, error);
    } finally {
      if (!hasEnded) await source.cancel(undefined);
    }
  }

  async *#itemsOfRing(ring: Ring<ItemSchema>): AsyncGenerator<unknown, void, void> {
    const { orderBefore } = this.#ends;
    const consumer: Consumer<ItemSchema> = ring.consumer();
    const pause = new Pause();
    try {
      for (;;) {
        const tile = consumer.tryAcquire() ?? (await consumer.acquire());
        if (tile === undefined) return;
        const { order } = tile.data;
        const item = readItem(tile);
        tile.release();
        for (const each of orderBefore?.arrived(order, item) ?? [item]) {
          this.taken++;
          yield each;
        }
        if (pause.isDue) await pause.take();
      }
    } finally {
      // Items that wait for the order to go on find out that nothing reads them.
      orderBefore?.open();
      consumer.close();
    }
  }
}

/** The name of a group in messages. */
export function nameOf(groups: readonly PlannedGroup[], at: number): string {
  const { stages } = groups[at]!;
  if (stages.length > 0) return stages.join(', ');
  if (at === 0) return 'source';
  return at === groups.length - 1 ? 'sink' : 'order';
}

/** The results of a stage on this thread, whose errors name it. */
async function* named(
  pipe: string,
  stage: string,
  results: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, void> {
  try {
    yield* results;
  } catch (error) {
    const isKnown = [PipeError, RingPoisoned, RingClosed].some((type) => error instanceof type);
    if (isKnown) throw error;
    throw new PipeError(pipe, stage, null, error);
  }
}
