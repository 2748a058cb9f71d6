// What tries before waits cost `check`: FA3-like mainloops with waits alone, with a try before each
// wait, and with the try made a block early as CUTLASS does.
//
//   node bench/tries.mjs    writes the table of bench/results/tries.md, the fastest of seven runs
import process from 'node:process';
import { check } from 'poundlock/check';
import { mainloop } from '../packages/poundlock/test/check/certify/try-kernels.ts';
import { putIntoPage } from './page.mjs';

const RUNS = 7;

/** Two consumers over two stages, which `wait`, `try` or `peek`. */
function kernelOf(how, form, tiles) {
  // CUTLASS looks ahead on the side that consumes.
  const produce = how === 'peek' ? 'wait' : how;
  return mainloop({ stages: 2, tiles, consumers: 2, form, produce, consume: how });
}

/** CPU time of the thread in microseconds, so that a busy machine changes it little. */
const cpu = () => process.threadCpuUsage().user + process.threadCpuUsage().system;

async function measured(how, form, blocks) {
  let [best, result] = [Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run++) {
    const start = cpu();
    result = await check(kernelOf(how, form, blocks), { engine: 'auto' });
    best = Math.min(best, (cpu() - start) / 1_000);
  }
  return { ms: best, ...result };
}

const rows = [
  '| blocks | form | tries | verdict | ms | ratio | assumptions |',
  '|---:|---|---|---|---:|---:|---:|',
];
for (const blocks of [256, 1_024, 4_096]) {
  for (const form of ['for', 'loop']) {
    let plain = 0;
    for (const how of ['wait', 'try', 'peek']) {
      const { ms, verdict, scope } = await measured(how, form, blocks);
      if (how === 'wait') plain = ms;
      const ratio = (ms / plain).toFixed(1);
      const { length } = scope.assumptions;
      rows.push(
        `| ${blocks} | ${form} | ${how} | ${verdict} | ${ms.toFixed(1)} | ${ratio} | ${length} |`,
      );
    }
  }
}
console.log(rows.join('\n'));
putIntoPage('tries', 'bench/tries.mjs', rows.join('\n'));
