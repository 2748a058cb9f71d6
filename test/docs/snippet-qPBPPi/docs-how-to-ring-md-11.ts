import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { attachRing, createRing } from 'poundlock/ring';

const ITEMS = 100_000;

if (isMainThread) {
  const ring = createRing({ stages: 8, schema: { value: 'f64' } });
  const transferred = ring.transfer('adder');
  const worker = new Worker(new URL(import.meta.url), { workerData: transferred });
  ring.supervise(worker, transferred); // if the worker dies, every wait on the ring throws

  using producer = ring.producer('counter');
  for (let value = 0; value < ITEMS; value++) {
    const tile = producer.acquireSync();
    tile.data.value = value;
    tile.release();
  }
} else {
  const ring = attachRing<{ value: 'f64' }>(workerData);
  let sum = 0;
  using consumer = ring.consumer();
  for (const tile of consumer) sum += tile.data.value; // released at the end of the round
  console.log(`sum ${sum}`);
}
