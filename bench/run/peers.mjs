// The peers of bench/run.mjs: each moves tiles of a size from one thread to another, every byte
// written by the producer and copied out by the consumer.
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { RingBuffer } from 'ringbuf.js';
import { attachRing } from '../../packages/poundlock/dist/ring/index.js';

const require = createRequire(import.meta.url);

/** Credits of the message variants: as many tiles under way as a ring has stages, or more. */
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
  produce({ ring: given, items }) {
    const producer = attachRing(given).producer();
    for (let number = 0; number < items; number++) {
      const tile = producer.acquireSync();
      tile.fill(number & 0xff);
      stamp(tile.view(Int32Array), number);
      tile.release();
    }
    producer.close();
  },
  consume({ ring: given, bytes }) {
    const consumer = attachRing(given).consumer();
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

/** Our ring where only the hand-over counts: first and last word, in place. */
const handle = {
  produce({ ring: given, items }) {
    const producer = attachRing(given).producer();
    for (let number = 0; number < items; number++) {
      const tile = producer.acquireSync();
      stamp(tile.view(Int32Array), number);
      tile.release();
    }
    producer.close();
  },
  consume({ ring: given }) {
    const consumer = attachRing(given).consumer();
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
  produce({ ring: given, items, size }) {
    const producer = attachRing(given).producer();
    for (let number = 0; number < items;) {
      const tiles = producer.acquireBatchSync(Math.min(size, items - number));
      for (const tile of tiles.tiles) stamp(tile.view(Int32Array), number++);
      tiles.release();
    }
    producer.close();
  },
  consume({ ring: given, size }) {
    const consumer = attachRing(given).consumer();
    let number = 0;
    for (let tiles; (tiles = consumer.acquireBatchSync(size)) !== undefined;) {
      for (const tile of tiles.tiles) verify(tile.view(Int32Array), number++);
      tiles.release();
    }
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
    port.on('message', (given) => {
      credits += given;
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

/** thread-stream of pino: a byte stream into a thread of its own; only the producer is ours. */
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

export const PEERS = { ring, handle, batch, ringbuf, clone, transfer, threadStream };
export { workerData };
