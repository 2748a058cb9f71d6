// Checks the memory of random programs against all their executions, in several processes, and
// writes the table.
//
//   node bench/memory-fuzz.mjs [--jobs 2] [--seconds 600] [--programs 150000] [--seed 1]
//     [--record-folder bench/memory-fuzz] [--page bench/results/memory-fuzz.md]
//
// Each program is checked in both profiles. As with bench/fuzz.mjs, each process has a record of its
// own and continues it as long as the engines are unchanged; the page is the sum of all records. A
// disagreement is recorded with the smallest program that shows it, and the exit code is 1.
// --programs is for each process. A process that does not end is ended, and named.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineHash, recordsOf, sumOf } from './fuzz/record.mjs';
import { writePage } from './memory-fuzz/page.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    programs: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    'record-folder': { type: 'string', default: here('memory-fuzz') },
    page: { type: 'string', default: here('results/memory-fuzz.md') },
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
  const args = ['--conditions=poundlock-source', here('memory-fuzz/worker.mjs')];
  args.push('--record', record, '--seed', seed, '--seconds', seconds, '--programs', programs);
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
const sum = sumOf(recordsOf(options['record-folder']), engineHash());
writePage(options.page, sum);
const { programs, cpuSeconds, disagreements } = sum;
for (const complaint of disagreements) console.log(complaint);
console.log(JSON.stringify(sum.answers));
console.log(
  `${programs} programs, ${disagreements.length} disagreements, ` +
    `${(programs / Math.max(1, cpuSeconds)).toFixed(1)} programs per second of CPU time`,
);
process.exitCode = disagreements.length > 0 || ended.includes(false) ? 1 : 0;
