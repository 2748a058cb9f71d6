// One role of bench/soak.mjs: produces, changes or takes items, with random delays, until it must
// fail.
import { parentPort, workerData } from 'node:worker_threads';
import { attachRing, RelayScope } from '../../packages/ring/dist/ring/src/public.js';

const { role, from, to, log, seed, items, failure, counts, number, batch } = workerData;
/** Shared: the items that were taken, and 1 once this round's victim shall fail by itself. */
const TAKEN = 0;
const FAIL = 1;

let state = seed | 1;
const random = (most) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % most;
};
const nap = new Int32Array(new SharedArrayBuffer(4));

/** Mostly nothing, sometimes busy, sometimes asleep. */
function delay() {
  const what = random(400);
  if (what === 0) Atomics.wait(nap, 0, 0, random(3));
  else if (what < 8) for (let spin = random(20_000); spin > 0; spin--) Atomics.load(nap, 0);
  if (Atomics.load(log, FAIL) === 0 || failure === 'terminate') return;
  if (failure === 'throw') throw new Error('killed in the middle');
  if (failure === 'exit') process.exit(9);
}

function make() {
  using producer = attachRing(to).producer();
  for (let seq = Atomics.load(log, TAKEN); seq < items; seq++) {
    const tile = producer.acquireSync();
    tile.data.seq = seq;
    delay();
    tile.data.check = seq * 3;
    tile.release();
  }
  producer.end();
}

function change() {
  const [consumer, producer] = [attachRing(from).consumer(), attachRing(to).producer()];
  using relay = new RelayScope(consumer, producer);
  for (const item of consumer) {
    const tile = producer.acquireSync();
    tile.data.seq = item.data.seq;
    delay();
    tile.data.check = item.data.check + 1;
    tile.release();
  }
  relay.end();
}

function take() {
  using consumer = attachRing(from).consumer();
  for (const { data } of consumer) {
    const expected = Atomics.load(log, TAKEN);
    if (data.seq !== expected || data.check !== expected * 3 + 1) {
      parentPort.postMessage({ wrong: `item ${expected} came as ${data.seq}, ${data.check}` });
    }
    delay();
    Atomics.add(log, TAKEN, 1);
  }
}

/** One of several producers of a ring: batches of random sizes. */
function put() {
  using producer = attachRing(to).producer();
  for (let seq = 0; seq < items;) {
    const tiles = producer.acquireBatchSync(Math.min(1 + random(batch), items - seq));
    for (const { data } of tiles) data.seq = number * items + seq++;
    delay();
    tiles.release();
  }
  producer.end();
}

/** One of several consumers of a ring: counts how often each item came. */
function get() {
  using consumer = attachRing(from).consumer();
  for (let tiles; (tiles = consumer.acquireBatchSync(1 + random(batch))) !== undefined;) {
    for (const { data } of tiles) {
      if (Atomics.add(counts, data.seq, 1) > 0) {
        parentPort.postMessage({ wrong: `item ${data.seq} came twice` });
      }
    }
    delay();
    tiles.release();
    Atomics.add(log, TAKEN, tiles.length);
  }
}

try {
  ({ make, change, take, put, get })[role]();
} catch (error) {
  if (error.message === 'killed in the middle') throw error;
  parentPort.postMessage({ text: error.message, name: error.name });
}
