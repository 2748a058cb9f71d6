// How much faster a sweep is with more local workers: fixed work, one worker and several in turn.
//
//   node bench/scale.mjs [--workers 2] [--repeats 3] [--node-flags '--single-threaded-gc']
//
// Each run is a process of its own: 352 jobs (176 checks, 176 simulations) of one kernel, no results
// folder. Prints JSON: the median seconds of each, their ratio, and the time of the processors, which
// says how much of the work is done twice (compiling, starting) or beside the worker (garbage). The
// machine has to be quiet: `load` is what it was before the first run.
import { spawn } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    repeats: { type: 'string', default: '3' },
    'node-flags': { type: 'string', default: '' },
  },
});
const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'packages', 'poundlock', 'bin', 'poundlock.js');
const KERNEL = join(ROOT, 'examples', 'sm100', 'default.ts');
const OVER = ['stages=2..9', 'tiles=10..110..10', 'accumStages=1..2'];
const SWEEP = [
  'sweep',
  KERNEL,
  ...OVER.flatMap((one) => ['--over', one]),
  '--verb',
  'check,simulate',
];
const flags = [
  '--conditions=poundlock-source',
  ...options['node-flags'].split(' ').filter(Boolean),
];

const TIMED = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" 2>&1', 'bash', process.execPath, ...flags];

/** Seconds of one run: by the clock, and of the processors. */
async function run(workers) {
  const args = [...TIMED, BIN, ...SWEEP, '--workers', String(workers)];
  const child = spawn('bash', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let times = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (times += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the sweep ended with exit code ${code}`);
  const [seconds, user, system] = times.trim().split(' ').map(Number);
  return { seconds, cpuSeconds: user + system };
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const load = loadavg()[0];
const counts = [1, Number(options.workers)];
const runs = counts.map(() => []);
for (let repeat = 0; repeat < Number(options.repeats); repeat++)
  for (const [at, workers] of counts.entries()) runs[at].push(await run(workers));
const rows = counts.map((workers, at) => ({
  workers,
  seconds: median(runs[at].map(({ seconds }) => seconds)),
  cpuSeconds: Math.round(median(runs[at].map(({ cpuSeconds }) => cpuSeconds)) * 100) / 100,
}));
const [one, several] = rows;
const ratio = Math.round((one.seconds / several.seconds) * 100) / 100;
console.log(
  JSON.stringify({ cores: cpus().length, load, flags: flags.slice(1), rows, ratio }, null, 2),
);
