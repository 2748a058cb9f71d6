// Time of gunzip → parse → aggregate, by `pipe()` and with rings and workers by hand, in turns.
//
//   node bench/pipe.mjs [--lines 500000] [--rounds 7]
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { job as byHand } from './pipe/by-hand.mjs';
import { job as withPipe } from './pipe/with-pipe.mjs';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '7' },
  },
});

function* log(lines) {
  for (let id = 0; id < lines; id++) {
    const ms = (id * 7919) % 1000;
    yield `${JSON.stringify({ id, path: `/pages/${id % 1013}`, size: id % 4096, ms, user: `user ${id % 331}` })}\n`;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'poundlock-pipe-'));
try {
  const file = join(folder, 'log.gz');
  await pipeline(log(Number(values.lines)), createGzip(), createWriteStream(file));
  const times = { pipe: [], hand: [] };
  for (let round = -1; round < Number(values.rounds); round++) {
    const results = [];
    for (const [name, job] of [
      ['pipe', withPipe],
      ['hand', byHand],
    ]) {
      const start = performance.now();
      results.push(JSON.stringify(await job(file)));
      if (round >= 0) times[name].push(performance.now() - start);
    }
    if (results[0] !== results[1]) throw new Error(`${results[0]} and ${results[1]}`);
  }
  const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  const ratio = median(times.pipe.map((ms, round) => ms / times.hand[round]));
  for (const [name, list] of Object.entries(times))
    console.log(`${name}: ${median(list).toFixed(0)} ms`);
  console.log(`pipe / hand: ${ratio.toFixed(2)} (median of the ratios of ${values.rounds} rounds)`);
} finally {
  rmSync(folder, { recursive: true });
}
