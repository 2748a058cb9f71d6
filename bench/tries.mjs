// What tries before waits cost `check`: FA3-like mainloops with waits alone, with a try before each
// wait, and with the try made a block early as CUTLASS does.
//
//   node bench/tries.mjs    writes the table of bench/results/tries.md, the fastest of seven runs
import process from 'node:process';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  end,
  expectTx,
  kernel,
  loop,
  read,
  role,
  tryWait,
  UNITS,
  wait,
} from 'poundlock';
import { check } from 'poundlock/check';

import { putIntoPage } from './page.mjs';

const RUNS = 7;
const BYTES = 18_432;

/** `how` waits: `wait`, `try` or `peek`; the blocks are rounds of a `for` or of a `loop`. */
function mainloop(how, form, blocks, stages, consumers) {
  return kernel('mainloop', {}, () => {
    const ring = Array.from({ length: stages }, (_, stage) => ({
      full: barrier(`full${stage}`),
      empty: barrier(`empty${stage}`, { count: consumers }),
      tile: buffer(`tile${stage}`),
    }));
    const stageOf = (block) => ring[block % stages];
    const lapOf = (block) => Math.floor(block / stages);
    function* rounds(body) {
      if (form === 'for') {
        let ready = false;
        for (let block = 0; block < blocks; block++) ready = yield* body(block, ready);
      } else {
        yield* loop({ block: 0, ready: false }, function* ({ block, ready }) {
          if (block === blocks) return end(0);
          return { block: block + 1, ready: yield* body(block, ready) };
        });
      }
    }
    function* passing(barrierOf, phaseOf, block, ready) {
      const isReady = how === 'try' ? yield* tryWait(barrierOf(block), phaseOf(block)) : ready;
      if (!isReady) yield* wait(barrierOf(block), phaseOf(block));
    }
    const load = role('load', function* () {
      yield* rounds(function* (block) {
        const { full, tile } = stageOf(block);
        yield* passing(
          (at) => stageOf(at).empty,
          (at) => lapOf(at) - 1,
          block,
          false,
        );
        expectTx(full, BYTES);
        arrive(full);
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: BYTES });
        return false;
      });
    });
    const multiply = Array.from({ length: consumers }, (_, index) =>
      role(`mma${index}`, function* () {
        yield* rounds(function* (block, ready) {
          const { tile, empty } = stageOf(block);
          yield* passing((at) => stageOf(at).full, lapOf, block, ready);
          let next = false;
          if (how === 'peek' && block + 1 < blocks) {
            next = yield* tryWait(stageOf(block + 1).full, lapOf(block + 1));
          }
          read(tile);
          arrive(empty);
          return next;
        });
      }),
    );
    return [load, ...multiply];
  });
}

/** CPU time of the thread in microseconds, so that a busy machine changes it little. */
const cpu = () => process.threadCpuUsage().user + process.threadCpuUsage().system;

async function measured(how, form, blocks) {
  let [best, result] = [Number.POSITIVE_INFINITY];
  for (let run = 0; run < RUNS; run++) {
    const start = cpu();
    result = await check(mainloop(how, form, blocks, 2, 2), { engine: 'auto' });
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
