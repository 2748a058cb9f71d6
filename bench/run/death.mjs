// How long a blocked call lasts after its peer has died: a consumer waits on an empty ring, its
// producer is terminated while it holds a stage.
import { Worker } from 'node:worker_threads';
import { createRing } from '../../packages/ring/dist/ring/src/public.js';

const TIMES = 21;
const CODE = new URL('./death-thread.mjs', import.meta.url);

/** Milliseconds from the call of terminate() to the error in the other thread, by time. */
export async function deathsMs() {
  const found = [];
  for (let time = 0; time < TIMES; time++) {
    const ring = createRing({ stages: 2, bytes: 64, threads: 2 });
    const [holding, waiting] = ['hold', 'wait'].map((role) => {
      const transferred = ring.transfer(role);
      const worker = new Worker(CODE, { workerData: { role, transferred } });
      const first = new Promise((resolve) => worker.once('message', resolve));
      const last = new Promise((resolve) => worker.on('message', (at) => at > 0 && resolve(at)));
      return { worker, first, last };
    });
    await Promise.all([holding.first, waiting.first]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.timeOrigin + performance.now();
    void holding.worker.terminate();
    found.push((await waiting.last) - start);
    await waiting.worker.terminate();
  }
  return found;
}
