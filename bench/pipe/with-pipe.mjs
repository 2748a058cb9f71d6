// gunzip → parse → aggregate by `pipe()`: the job of bench/pipe.mjs.
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipe, wholeLines } from '../../packages/ring/dist/ring/src/public.js';

export async function job(file) {
  const total = { lines: 0, bytes: 0, slow: 0 };
  const source = wholeLines(createReadStream(file).pipe(createGunzip()));
  const parse = { parse: new URL('parse.mjs', import.meta.url), workers: 2 };
  await using run = pipe(source, parse, (part) =>
    Object.keys(total).forEach((key) => (total[key] += part[key])),
  );
  await run.done;
  return total;
}
