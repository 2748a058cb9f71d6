// CPU time of a tile on both ends of a ring in one thread, by how its payload is used.
//
//   node bench/ring-handles.mjs [FOLDER]     FOLDER: another build of the ring, to compare with
import { pathToFileURL } from 'node:url';

const TILES = 2_000_000;
const ROUNDS = 9;
const BATCH = 32;
const OWN = new URL('../packages/ring/dist', import.meta.url).href;
const fields = { schema: { a: 'i32', b: 'i32' } };
const bytes = { bytes: 64 };

/** By name: the options of the ring, and what is done with a full and an empty tile. */
const FORMS = {
  'bytes, tile by tile': [bytes, (tile, n) => (tile.bytes[3] = n), (tile) => tile.bytes[3]],
  'view, tile by tile': [
    bytes,
    (tile, n) => (tile.view(Int32Array)[3] = n),
    (tile) => tile.view(Int32Array)[3],
  ],
  'fields, tile by tile': [fields, ({ data }, n) => (data.a = data.b = n), ({ data }) => data.b],
  'fields, in batches': [fields, ({ data }, n) => (data.a = data.b = n), ({ data }) => data.b],
};

/** The loop is compiled for each form by itself. */
const loopOf = (name) =>
  new Function(
    'producer, consumer, fill, read, tiles, size',
    name.endsWith('batches')
      ? `let sum = 0;
         for (let n = 0; n < tiles; n += size) {
           const batch = producer.acquireBatchSync(size);
           let at = n;
           for (const tile of batch) fill(tile, at++);
           batch.release();
           const taken = consumer.acquireBatchSync(size);
           for (const tile of taken) sum += read(tile);
           taken.release();
         }
         return sum;`
      : `let sum = 0;
         for (let n = 0; n < tiles; n += size) {
           for (let at = n; at < n + size; at++) {
             const tile = producer.acquireSync();
             fill(tile, at);
             tile.release();
           }
           for (let at = n; at < n + size; at++) {
             const tile = consumer.acquireSync();
             sum += read(tile);
             tile.release();
           }
         }
         return sum;`,
  );

const folder = process.argv[2];
const from = folder === undefined ? OWN : pathToFileURL(folder).href;
const { createRing } = await import(`${from}/ring/src/public.js`);
for (const [name, [options, fill, read]] of Object.entries(FORMS)) {
  const loop = loopOf(name);
  const times = Array.from({ length: ROUNDS }, () => {
    const ring = createRing({ stages: 64, threads: 1, ...options });
    const before = process.cpuUsage();
    loop(ring.producer(), ring.consumer(), fill, read, TILES, BATCH);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / TILES;
  }).sort((a, b) => a - b);
  console.log(
    `${name}: ${times[0].toFixed(1)} ns of CPU (least), ${times[ROUNDS >> 1].toFixed(1)} (median)`,
  );
}
