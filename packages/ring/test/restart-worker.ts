// A consumer that dies after some hundred items, and counts in shared memory how often each came.
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { attachRing, type TransferredRing } from '#src/public';

export interface RestartJob {
  readonly ring: TransferredRing<{ value: 'i32' }>;
  readonly log: Int32Array;
  readonly how: 'terminate' | 'exit';
}

const { ring, log, how } = workerData as RestartJob;
const LIFE = 500;
let left = LIFE;
const consumer = attachRing(ring).consumer();
consumer.each(({ data }) => {
  Atomics.add(log, data.value, 1);
  if (--left > 0) return;
  if (how === 'exit') process.exit(9);
  parentPort!.postMessage('ready');
  for (;;) Atomics.load(log, 0);
});
