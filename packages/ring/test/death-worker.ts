// A worker that opens an endpoint and dies at a signal.
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { attachRing, type TransferredRing } from '#src/public';

type Numbers = TransferredRing<{ value: 'i32' }>;

export interface DeathJob {
  readonly ring: Numbers;
  readonly also?: Numbers;
  readonly side: 'producer' | 'consumer';
  readonly how: 'throw' | 'reject' | 'exit' | 'fall' | 'hang';
  /** Whether it dies with a tile in its hands. */
  readonly holds: boolean;
  /** Word 0 is set once the endpoint is open; word 1 by the test: 1 to die, 2 to close before. */
  readonly signal: Int32Array;
}

const { ring, also, side, how, holds, signal } = workerData as DeathJob;

function open(transferred: Numbers) {
  const attached = attachRing(transferred);
  return side === 'producer' ? attached.producer() : attached.consumer();
}

const end = open(ring);
const second = also === undefined ? undefined : open(also);
if (holds) end.acquireSync();
Atomics.store(signal, 0, 1);
Atomics.notify(signal, 0);
if (how === 'hang') for (;;) Atomics.load(signal, 0);
Atomics.wait(signal, 1, 0);
if (Atomics.load(signal, 1) === 2) {
  end.close();
  second?.close();
}
if (how === 'exit') process.exit(3);
if (how === 'throw') throw new Error('a broken frame');
if (how === 'reject') void Promise.reject(new Error('a broken promise'));
