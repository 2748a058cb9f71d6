// The peers of bench/run.mjs: each moves tiles of a size from one thread to another, every byte
// written by the producer and copied out by the consumer.
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { RingBuffer } from 'ringbuf.js';
import { attachRing } from '../../packages/ring/dist/ring/src/public.js';

const require = createRequire(import.meta.url);

/** Credits of the message variants: as many tiles in flight as a ring has stages, or more. */
const CREDITS = 64;

/** First and last word of a tile carry its number: the consumer checks both. */
function stamp(words, number) {
  words[0] = number;
  words[words.length - 1] = number;
}
function verify(words, number) {
  if (words[0] !== number || words[words.length - 1] !== number) {
    throw new Error(`tile ${number} came as ${words[0]}, ${words[words.length - 1]}`);
  }
}

/** Our ring, tile by tile: filled in place, copied out inside the shared memory. */
const ring = {
  produce({ ring: transferred, items }) {
    const producer = attachRing(transferred).producer();
    for (let number = 0; number < items; number++) {
      const tile = producer.acquireSync();
      tile.fill(number & 0xff);
      stamp(tile.view(Int32Array), number);
      tile.release();
    }
    producer.close();
  },
  consume({ ring: transferred, bytes }) {
    const consumer = attachRing(transferred).consumer();
    const out = consumer.scratch;
    const words = new Int32Array(out.buffer, out.byteOffset, bytes >> 2);
    let number = 0;
    for (let tile; (tile = consumer.acquireSync()) !== undefined;) {
      tile.copyTo(out);
      tile.release();
      verify(words, number++);
    }
    return number;
  },
};

/** The ring with minimal work: first and last word of each tile, in place. */
const handle = {
  produce({ ring: transferred, items }) {
    const producer = attachRing(transferred).producer();
    for (let number = 0; number < items; number++) {
      const tile = producer.acquireSync();
      stamp(tile.view(Int32Array), number);
      tile.release();
    }
    producer.close();
  },
  consume({ ring: transferred }) {
    const consumer = attachRing(transferred).consumer();
    let number = 0;
    for (let tile; (tile = consumer.acquireSync()) !== undefined;) {
      verify(tile.view(Int32Array), number++);
      tile.release();
    }
    return number;
  },
};

/** As `handle`, a batch at a time. */
const batch = {
  produce({ ring: transferred, items, size }) {
    const producer = attachRing(transferred).producer();
    for (let number = 0; number < items;) {
      const tiles = producer.acquireBatchSync(Math.min(size, items - number));
      for (const tile of tiles.tiles) stamp(tile.view(Int32Array), number++);
      tiles.release();
    }
    producer.close();
  },
  consume({ ring: transferred, size }) {
    const consumer = attachRing(transferred).consumer();
    let number = 0;
    for (let tiles; (tiles = consumer.acquireBatchSync(size)) !== undefined;) {
      for (const tile of tiles.tiles) verify(tile.view(Int32Array), number++);
      tiles.release();
    }
    return number;
  },
};

/**
 * The cost of a tile without handles: a hand-written protocol on the same words. Counters of 27 bits
 * over 5 bits of marks, on separate cache lines, then a line for each stage.
 */
const raw = {
  produce({ memory, items, stages }) {
    const words = new Int32Array(memory.buffer);
    for (let [number, stage, seen] = [0, 0, 0]; number < items; number++) {
      if (seen + stages <= number) seen = reached(words, RAW_CONSUMED, number - stages + 1);
      const at = RAW_STAGES + stage * 16;
      words[at] = words[at + 15] = number;
      const marks = Atomics.exchange(words, RAW_PRODUCED, (number + 1) << 5);
      if ((marks & (SLEEPER | POISON)) !== 0) answer(words, RAW_PRODUCED, marks);
      stage = stage + 1 === stages ? 0 : stage + 1;
    }
  },
  consume({ memory, items, stages }) {
    const words = new Int32Array(memory.buffer);
    for (let [number, stage, seen] = [0, 0, 0]; number < items; number++) {
      if (seen <= number) seen = reached(words, RAW_PRODUCED, number + 1);
      const at = RAW_STAGES + stage * 16;
      if (words[at] !== number || words[at + 15] !== number) throw new Error(`tile ${number}`);
      const marks = Atomics.exchange(words, RAW_CONSUMED, (number + 1) << 5);
      if ((marks & (SLEEPER | POISON)) !== 0) answer(words, RAW_CONSUMED, marks);
      stage = stage + 1 === stages ? 0 : stage + 1;
    }
    return items;
  },
};
const [RAW_PRODUCED, RAW_CONSUMED, RAW_STAGES] = [1024, 1056, 2048];
const [SLEEPER, POISON] = [1, 4];
const LOOKS = 800;

/** Waits as rings do until a count is reached: spins, spins with pauses, then sleeps. */
function reached(words, at, least) {
  for (let looks = 0; ; looks++) {
    const seen = Atomics.load(words, at);
    if ((seen & POISON) !== 0) throw new Error('the other side has failed');
    if (seen >>> 5 >= least) return seen >>> 5;
    if (looks < LOOKS) for (let rests = 4; rests > 0; rests--) Atomics.pause?.();
    else if (Atomics.compareExchange(words, at, seen, seen | SLEEPER) === seen) {
      Atomics.wait(words, at, seen | SLEEPER, 1000);
    }
  }
}

/** Restores the marks that an exchange has removed. */
function answer(words, at, marks) {
  Atomics.or(words, at, marks & POISON);
  Atomics.notify(words, at);
}

/** Three threads: numbers are made, changed and checked, in tiles that go on in place. */
const chain = {
  produce({ to, items }) {
    const producer = attachRing(to).producer();
    for (let number = 0; number < items; number++) {
      const tile = producer.acquireSync();
      stamp(tile.view(Int32Array), number);
      tile.release();
    }
    producer.close();
  },
  relay({ from, to }) {
    const [consumer, producer] = [attachRing(from).consumer(), attachRing(to).producer()];
    for (let tile; (tile = consumer.acquireSync()) !== undefined;) {
      const number = tile.view(Int32Array)[0];
      tile.release();
      const next = producer.acquireSync();
      stamp(next.view(Int32Array), number + 1);
      next.release();
    }
    producer.close();
  },
  consume({ from }) {
    const consumer = attachRing(from).consumer();
    let number = 0;
    for (let tile; (tile = consumer.acquireSync()) !== undefined; tile.release()) {
      verify(tile.view(Int32Array), ++number);
    }
    return number;
  },
};

/** The same with tiles that are transferred forward, and back on the same path. */
const chainTransfer = {
  produce({ port, items, bytes, stages }) {
    let number = 0;
    const send = (tile) => {
      if (number === items) return;
      stamp(new Int32Array(tile.buffer), number++);
      port.postMessage(tile, [tile.buffer]);
      if (number === items) port.close();
    };
    port.on('message', send);
    for (let stage = 0; stage < stages; stage++) send(new Uint8Array(bytes));
  },
  async relay({ port, next, items }) {
    let number = 0;
    const { promise, resolve } = Promise.withResolvers();
    port.on('message', (tile) => {
      const words = new Int32Array(tile.buffer);
      stamp(words, words[0] + 1);
      next.postMessage(tile, [tile.buffer]);
      number++;
    });
    next.on('message', (tile) => {
      if (tile === null) return resolve();
      port.postMessage(tile, [tile.buffer]);
    });
    await promise;
    if (number !== items) throw new Error(`${number} of ${items} tiles were passed on`);
    port.close();
    next.close();
  },
  async consume({ port, items }) {
    let number = 0;
    const { promise, resolve } = Promise.withResolvers();
    port.on('message', (tile) => {
      verify(new Int32Array(tile.buffer), ++number);
      port.postMessage(tile, [tile.buffer]);
      if (number < items) return;
      port.postMessage(null);
      resolve();
    });
    await promise;
    return number;
  },
};

const ringbuf = {
  produce({ buffer, items, bytes }) {
    const queue = new RingBuffer(buffer, Uint8Array);
    const tile = new Uint8Array(bytes);
    const words = new Int32Array(tile.buffer);
    for (let number = 0; number < items; number++) {
      tile.fill(number & 0xff);
      stamp(words, number);
      for (let sent = 0; sent < bytes;) {
        sent += queue.push(sent === 0 ? tile : tile.subarray(sent));
      }
    }
  },
  consume({ buffer, items, bytes }) {
    const queue = new RingBuffer(buffer, Uint8Array);
    const tile = new Uint8Array(bytes);
    const words = new Int32Array(tile.buffer);
    for (let number = 0; number < items; number++) {
      for (let got = 0; got < bytes;) {
        got += queue.pop(got === 0 ? tile : tile.subarray(got));
      }
      verify(words, number);
    }
    return items;
  },
};

/** postMessage with a copy of every tile. */
const clone = {
  produce({ port, items, bytes }) {
    const tile = new Uint8Array(bytes);
    const words = new Int32Array(tile.buffer);
    let [number, credits] = [0, CREDITS];
    const send = () => {
      for (; number < items && credits > 0; credits--) {
        tile.fill(number & 0xff);
        stamp(words, number++);
        port.postMessage(tile);
      }
      if (number === items) port.close();
    };
    port.on('message', (transferred) => {
      credits += transferred;
      send();
    });
    send();
  },
  async consume({ port, items, bytes }) {
    const out = new Uint8Array(bytes);
    const words = new Int32Array(out.buffer);
    let number = 0;
    const { promise, resolve } = Promise.withResolvers();
    port.on('message', (tile) => {
      out.set(tile);
      verify(words, number++);
      if (number % (CREDITS / 2) === 0) port.postMessage(CREDITS / 2);
      if (number === items) resolve();
    });
    await promise;
    port.close();
    return number;
  },
};

/** postMessage that moves tiles there and back. */
const transfer = {
  produce({ port, items, bytes, stages }) {
    let number = 0;
    const send = (tile) => {
      if (number === items) return;
      tile.fill(number & 0xff);
      stamp(new Int32Array(tile.buffer), number++);
      port.postMessage(tile, [tile.buffer]);
      if (number === items) port.close();
    };
    port.on('message', send);
    for (let stage = 0; stage < stages; stage++) send(new Uint8Array(bytes));
  },
  async consume({ port, items, bytes }) {
    const out = new Uint8Array(bytes);
    const words = new Int32Array(out.buffer);
    let number = 0;
    const { promise, resolve } = Promise.withResolvers();
    port.on('message', (tile) => {
      out.set(tile);
      verify(words, number++);
      port.postMessage(tile, [tile.buffer]);
      if (number === items) resolve();
    });
    await promise;
    port.close();
    return number;
  },
};

/** thread-stream of pino: a byte stream into a separate thread; only the producer is ours. */
const threadStream = {
  async produce({ items, bytes }) {
    const ThreadStream = require('thread-stream');
    const filename = new URL('./thread-stream-sink.mjs', import.meta.url).pathname;
    const stream = new ThreadStream({ filename, workerData: { items, bytes } });
    const ready = Promise.withResolvers();
    stream.once('ready', ready.resolve);
    await ready.promise;
    const start = performance.timeOrigin + performance.now();
    const text = 'x'.repeat(bytes);
    for (let number = 0; number < items; number++) {
      if (stream.write(text)) continue;
      const drained = Promise.withResolvers();
      stream.once('drain', drained.resolve);
      await drained.promise;
    }
    const closed = Promise.withResolvers();
    stream.once('close', closed.resolve);
    stream.end();
    await closed.promise;
    return { start };
  },
};

export const PEERS = {
  ring,
  handle,
  batch,
  raw,
  chain,
  chainTransfer,
  ringbuf,
  clone,
  transfer,
  threadStream,
};
export { workerData };
