// Stages of `poundlock/ring`, where its types are not installed: acquired, and released once.
import { createRing, type RingStage } from 'poundlock/ring';

const ring = createRing({ stages: 8, bytes: 64 });
const producer = ring.producer();
const out = ring.producer('other');
const consumer = ring.consumer();

export function scoped(): void {
  using tile = producer.acquireSync();
  tile.fill(1);
  tile.release();
}
export function canceled(isEmpty: boolean): void {
  const tile = producer.acquireSync();
  if (isEmpty) {
    tile.cancel();
    return;
  }
  tile.release();
}
export function atTheEnd(): void {
  const tile = consumer.acquireSync();
  if (tile === undefined) return;
  console.log(tile.bytes[0]);
  tile.release();
}
export function iterated(): void {
  for (const tile of consumer) if (tile.length > 3) break;
}
export function polled(): void {
  for (let tile; (tile = consumer.tryAcquire()) !== undefined; tile.release()) {
    console.log(tile.length);
  }
}
export function batch(): void {
  const tiles = producer.acquireBatchSync(4);
  for (const tile of tiles) tile.fill(0);
  tiles.release();
}
export function handedOut(): RingStage {
  return producer.acquireSync();
}

export function onOnePath(limit: number): void {
  const tile = producer.acquireSync(); // expect: leak
  if (limit > 3) return;
  tile.release();
}
export function never(): void {
  const tile = out.acquireSync(); // expect: leak
  tile.fill(1);
}
export async function whenThrown(isFull: boolean): Promise<void> {
  const tile = await producer.acquire(); // expect: leak
  if (isFull) throw new Error('full');
  tile.release();
}
export function discarded(): void {
  producer.acquireSync(); // expect: leak
}
export function twice(): void {
  const tile = producer.acquireSync();
  tile.release();
  tile.release(); // expect: double-release
}
export function batchTwice(): void {
  const tiles = producer.acquireBatchSync(4);
  tiles.release();
  tiles.release(); // expect: double-release
}
export function writtenLate(): void {
  const tile = producer.acquireSync();
  tile.release();
  tile.bytes[0] = 1; // expect: use-after-release
}
export function readLate(): number | undefined {
  const tile = ring.consumer().acquireSync();
  if (tile === undefined) return undefined;
  tile.release();
  return tile.view(Float32Array)[0]; // expect: use-after-release
}
export function polledOnce(): void {
  const tile = producer.tryAcquire(); // expect: leak
  if (tile !== undefined) tile.fill(1);
}
