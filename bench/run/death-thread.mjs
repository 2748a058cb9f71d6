// One thread of bench/run/death.mjs: holds a stage forever, or waits for one.
import { parentPort, workerData } from 'node:worker_threads';
import { attachRing } from '../../packages/ring/dist/ring/src/public.js';

const { role, transferred } = workerData;
const ring = attachRing(transferred);
if (role === 'hold') {
  ring.producer().acquireSync();
  parentPort.postMessage(0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
} else {
  const consumer = ring.consumer();
  parentPort.postMessage(0);
  try {
    consumer.acquireSync();
  } catch {
    parentPort.postMessage(performance.timeOrigin + performance.now());
  }
}
