// Checks random programs against independent searches, in several processes, and writes the table.
//
//   node bench/fuzz.mjs [--jobs 16] [--seconds 600] [--programs 1000000] [--seed 1]
//     [--record-folder bench/fuzz] [--page bench/results/fuzz.md]
//
// Each process has a record of its own, and continues it as long as the engines are unchanged: a
// change of the engines restarts the count, and the previous count stays as a line. The page is
// the sum of all records in the folder. A disagreement is recorded with its program, and the exit
// code is 1. A program counts if it was decided; what ran into a bound is listed by itself.
// --programs is for each process. A process that does not end is ended, and named.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writePage } from './fuzz/page.mjs';
import { engineHash, recordsOf, sumOf } from './fuzz/record.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    programs: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    'record-folder': { type: 'string', default: here('fuzz') },
    page: { type: 'string', default: here('results/fuzz.md') },
  },
});
/** Seeds of one process. */
const APART = 2 ** 24;
/** Milliseconds that a process may need to start, and for its last program. */
const GRACE_MS = 40_000;

/** One process; whether it ended by itself, with or without disagreements. */
function runWorker(id) {
  const record = join(options['record-folder'], `record-${id}.json`);
  const seed = String((Number(options.seed) + id * APART) % 2 ** 31);
  const { seconds, programs } = options;
  const args = ['--conditions=poundlock-source', here('fuzz/worker.mjs'), '--record', record];
  args.push('--seed', seed, '--seconds', seconds, '--programs', programs);
  const worker = spawn(process.execPath, args, { stdio: 'inherit' });
  const timer = setTimeout(() => worker.kill('SIGKILL'), Number(seconds) * 1000 + GRACE_MS);
  return new Promise((resolve) => {
    worker.on('exit', (code) => {
      clearTimeout(timer);
      const isEnded = code === 0 || code === 1;
      if (!isEnded) console.log(`${record} (seed ${seed}): the process did not end: ${code}`);
      resolve(isEnded);
    });
  });
}

mkdirSync(options['record-folder'], { recursive: true });
const jobs = Array.from({ length: Number(options.jobs) }, (_, at) => runWorker(at + 1));
const ended = await Promise.all(jobs);
const records = recordsOf(options['record-folder']);
const sum = sumOf(records, engineHash());
writePage(options.page, records, sum);
const { programs, seconds, cpuSeconds, disagreements } = sum;
for (const { fault, program } of disagreements) console.log(`${fault}\n${JSON.stringify(program)}`);
const per = (time) => (programs / Math.max(1, time)).toFixed(1);
console.log(JSON.stringify(sum.answers));
console.log(
  `${programs} programs, ${disagreements.length} disagreements, ${per(seconds)} programs per second and process, ` +
    `${per(cpuSeconds)} per second of CPU time`,
);
process.exitCode = disagreements.length > 0 || ended.includes(false) ? 1 : 0;
