// Stages of the tests of pipes, which run on worker threads.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

export interface Item {
  readonly id: number;
  readonly text: string;
}

const LAST_OF_FEW = 40;

export const same = (item: unknown): unknown => item;

export function double({ id, text }: Item): Item {
  return { id: id * 2, text };
}

export function even(item: Item): Item | undefined {
  return item.id % 2 === 0 ? item : undefined;
}

/** Later items are often finished first. */
export async function jumbled(item: Item): Promise<Item> {
  if (item.id % 5 === 0) await pause(2);
  return item;
}

export function* twice(items: Iterable<Item>): Generator<Item> {
  for (const item of items) {
    yield item;
    yield item;
  }
}

export async function* sum(items: AsyncIterable<Item>): AsyncGenerator<number> {
  let total = 0;
  for await (const { id } of items) total += id;
  yield total;
}

export function* first(items: Iterable<Item>): Generator<Item> {
  for (const item of items) {
    yield item;
    if (item.id === LAST_OF_FEW) return;
  }
}

export function failing(item: Item): Item {
  if (item.id === LAST_OF_FEW) throw new RangeError(`item ${item.id} is broken`);
  return item;
}

export async function rejecting(item: Item): Promise<Item> {
  await pause(0);
  return failing(item);
}

export function* failingGenerator(items: Iterable<Item>): Generator<Item> {
  for (const item of items) yield failing(item);
}

export function exiting(item: Item): Item {
  if (item.id === LAST_OF_FEW) process.exit(3);
  return item;
}

/** Fails outside of the call. */
export function failingLater(item: Item): Promise<Item> {
  if (item.id === LAST_OF_FEW) setTimeout(() => failing(item), 0);
  return new Promise((resolve) => {
    if (item.id !== LAST_OF_FEW) resolve(item);
  });
}

export function uncloneable(item: Item): unknown {
  return item.id === LAST_OF_FEW ? () => item : item;
}

export function stuck(item: Item): Item {
  if (item.id === LAST_OF_FEW) for (;;);
  return item;
}

/** Does not end by itself. */
export function alive(item: Item): Item {
  setInterval(() => {}, 1000);
  return item;
}
