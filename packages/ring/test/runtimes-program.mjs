// Run by runtimes.test.ts on other runtimes: a ring, a pipe, and the deaths of workers. Prints JSON.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { attachRing, createRing, pipe } from '../lib/public.js';

const HERE = new URL(import.meta.url);
const ITEMS = 1000;

export const double = (value) => value * 2;

const once = (worker, event) => new Promise((resolve) => void worker.once(event, resolve));

async function sumInWorker() {
  const ring = createRing({ schema: { value: 'f64' } });
  const worker = new Worker(HERE, { workerData: { sum: ring.transfer('reader') } });
  const message = once(worker, 'message');
  const producer = ring.producer();
  for (let value = 0; value < ITEMS; value++) {
    const tile = producer.acquireSync();
    tile.data.value = value;
    tile.release();
  }
  producer.end();
  return message;
}

async function afterDeath(how) {
  const ring = createRing({ stages: 2, bytes: 4, timeoutMs: 30_000 });
  const worker = new Worker(HERE, { workerData: { victim: ring.transfer('victim'), how } });
  worker.on('error', () => {});
  await once(worker, 'message');
  const start = performance.now();
  if (how === 'terminate') void worker.terminate();
  else worker.postMessage('now');
  try {
    // The main thread blocks: only the watchdog can notice it.
    ring.consumer('peer').acquireSync();
  } catch (error) {
    return { name: error.name, role: error.role, ms: performance.now() - start };
  }
  return { name: 'no error' };
}

if (isMainThread) {
  const deaths = {};
  for (const how of ['terminate', 'throw', 'exit']) deaths[how] = await afterDeath(how);
  const seen = [];
  const stages = { double: HERE, workers: 2, ordered: true };
  await pipe([1, 2, 3], stages, (item) => void seen.push(item)).done;
  await pipe([4n], stages, () => {}).done.catch((error) => {
    seen.push(error.stage, error.cause.name);
  });
  console.log(JSON.stringify({ sum: await sumInWorker(), seen, deaths }));
  process.exit();
} else if (workerData?.sum !== undefined) {
  let sum = 0;
  for (const tile of attachRing(workerData.sum).consumer()) sum += tile.data.value;
  parentPort.postMessage(sum);
} else if (workerData?.victim !== undefined) {
  const ring = attachRing(workerData.victim);
  parentPort.on('message', () => {
    if (workerData.how === 'exit') process.exit(3);
    throw new Error('a broken frame');
  });
  await ring.watched();
  ring.producer();
  parentPort.postMessage('open');
}
