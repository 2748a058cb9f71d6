// A worker thread of the tests: produces or consumes numbers, and fails where its job says.
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { attachRing, type TransferredRing } from '#src/public';

export interface Job {
  readonly ring: TransferredRing<{ seq: 'i32'; by: 'i32' }>;
  readonly side: 'producer' | 'consumer';
  readonly number: number;
  readonly items: number;
  /** How the thread fails when it holds its stage number `failAt`. */
  readonly failAt: number;
  /** The size of its batches, if it uses any. */
  readonly batch?: number;
  readonly failure: 'none' | 'throw' | 'exit' | 'fall' | 'hang' | 'oom';
}

const job = workerData as Job;
const ring = attachRing(job.ring);
const seen: number[] = [];

function fail(): void {
  parentPort!.postMessage('failing');
  if (job.failure === 'throw') throw new Error('a broken frame');
  if (job.failure === 'exit') process.exit(3);
  if (job.failure === 'hang') for (;;);
  const hoard: unknown[] = [];
  if (job.failure === 'oom') for (;;) hoard.push(Array(1e5).fill(hoard.length));
}

function workInBatches(size: number): void {
  if (job.side === 'producer') {
    const producer = ring.producer();
    for (let seq = 0; seq < job.items;) {
      const batch = producer.acquireBatchSync(Math.min(size, job.items - seq));
      for (const { data } of batch) {
        data.seq = seq++;
        data.by = job.number;
      }
      batch.release();
    }
    producer.end();
    return;
  }
  const consumer = ring.consumer();
  for (let batch; (batch = consumer.acquireBatchSync(size)) !== undefined; batch.release()) {
    for (const { data } of batch) seen.push(data.by * 1_000_000 + data.seq);
  }
  consumer.close();
}

function work(): void {
  if (job.batch !== undefined) return workInBatches(job.batch);
  if (job.side === 'producer') {
    const producer = ring.producer(`producer ${job.number}`);
    for (let seq = 0; seq < job.items; seq++) {
      const tile = producer.acquireSync();
      if (seq === job.failAt) {
        fail();
        return;
      }
      tile.data.seq = seq;
      tile.data.by = job.number;
      tile.release();
    }
    producer.close();
    return;
  }
  const consumer = ring.consumer(`consumer ${job.number}`);
  for (let tile; (tile = consumer.acquireSync()) !== undefined;) {
    if (seen.length === job.failAt) {
      fail();
      return;
    }
    seen.push(tile.data.by * 1_000_000 + tile.data.seq);
    tile.release();
  }
  consumer.close();
}

try {
  work();
  parentPort!.postMessage(seen);
} catch (error) {
  if (job.failure !== 'none') throw error;
  parentPort!.postMessage(error);
}
