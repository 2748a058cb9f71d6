// gunzip → parse → aggregate with rings and workers by hand: the job of bench/pipe.mjs.
import { createReadStream } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import {
  attachRing,
  createRing,
  RelayScope,
  wholeLines,
} from '../../packages/ring/dist/ring/src/public.js';
import { parse } from './parse.mjs';

export async function job(file) {
  const total = { lines: 0, bytes: 0, slow: 0 };
  const shared = { threads: 3, timeoutMs: Infinity };
  const parts = createRing({ stages: 8, bytes: 131_072, consumers: 2, ...shared });
  const sums = createRing({
    stages: 8,
    schema: { lines: 'f64', bytes: 'f64', slow: 'f64' },
    producers: 2,
    ...shared,
  });
  const workers = [0, 1].map(() => {
    const rings = { parts: parts.transfer('parser'), sums: sums.transfer('parser') };
    return new Worker(new URL(import.meta.url), { workerData: rings });
  });
  const ends = workers.map(
    (worker) => new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve)),
  );
  async function read() {
    using producer = parts.producer('reader');
    for await (const part of wholeLines(createReadStream(file).pipe(createGunzip()))) {
      const tile = await producer.acquire();
      tile.copyFrom(part);
      tile.release();
    }
    producer.end();
  }
  const reading = read();
  for await (const { data } of sums.consumer('adder'))
    for (const key of Object.keys(total)) total[key] += data[key];
  await Promise.all([reading, ...ends]);
  return total;
}

if (!isMainThread && workerData?.parts !== undefined) {
  const [from, to] = [
    attachRing(workerData.parts).consumer(),
    attachRing(workerData.sums).producer(),
  ];
  using scope = new RelayScope(from, to);
  for (const part of from) {
    const tile = to.acquireSync();
    Object.assign(tile.data, parse(part.copy()));
    tile.release();
  }
  scope.end();
}
