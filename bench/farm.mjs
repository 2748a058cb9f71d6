// 10,000 jobs through a farm whose workers are killed and whose server restarts, against a local run.
//
//   node bench/farm.mjs [--jobs 10000] [--kill-seconds 5] [--backend redis|postgres]
//
// Starts a server of its own and two worker processes. One of them, in turn, is killed (SIGKILL) every
// few seconds and replaced; the server restarts once when half of the jobs are done. Then the same sweep
// runs in threads on this machine, and each result is compared byte for byte, but for its time. Prints
// JSON; the exit code is 1 unless each result is there exactly once and equal.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startPostgres, startRedis } from '../tools/farm/test/servers.ts';
import { RING_FILES } from '../packages/poundlock/test/cli/jobs/kernels.ts';

const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '10000' },
    'kill-seconds': { type: 'string', default: '5' },
    backend: { type: 'string', default: 'redis' },
  },
});
const BIN = join(import.meta.dirname, '..', 'packages', 'poundlock', 'bin', 'poundlock.js');
const NODE = ['--conditions=poundlock-source', BIN];
/** How long a killed worker keeps its jobs. */
const LOCK = '3s';
const LOOK_MS = 100;

const folder = mkdtempSync(join(tmpdir(), 'poundlock-farm-bench-'));
for (const [name, text] of Object.entries(RING_FILES)) writeFileSync(join(folder, name), text);
const server = await (options.backend === 'postgres' ? startPostgres() : startRedis());
let kills = 0;

const startWorker = () => {
  const args = [...NODE, 'worker', '--farm', server.url, '--workers', '1', '--trust-programs'];
  return spawn(process.execPath, [...args, '--lock', LOCK], { stdio: 'ignore' });
};

function run(args) {
  const child = spawn(process.execPath, [...NODE, ...args], { cwd: folder, stdio: 'ignore' });
  const { promise, resolve } = Promise.withResolvers();
  child.once('exit', (code) => resolve(code));
  return promise;
}

const resultsOf = (name) => {
  try {
    return readdirSync(join(folder, name)).filter((file) => /^[0-9a-f]{64}\.json$/.test(file));
  } catch {
    return [];
  }
};

const bytes = Math.ceil(Number(options.jobs) / 10);
const sweep = [
  'sweep',
  'ring.ts',
  '--over',
  'stages=1..10',
  '--over',
  `bytes=16..${bytes * 16}..16`,
];
sweep.push('--verb', 'simulate', '--json', 'out.json');

let workers = [startWorker(), startWorker()];
const start = performance.now();
let restarted = false;
let killedAt = start;
const timer = setInterval(() => {
  const done = resultsOf('far').length;
  if (!restarted && done >= Number(options.jobs) / 2) {
    restarted = true;
    void server.restart();
  }
  if (performance.now() - killedAt < Number(options['kill-seconds']) * 1000) return;
  killedAt = performance.now();
  kills++;
  workers[0].kill('SIGKILL');
  workers = [workers[1], startWorker()];
}, LOOK_MS);
const farCode = await run([...sweep, '--farm', server.url, '--results', 'far']);
clearInterval(timer);
const farSeconds = (performance.now() - start) / 1000;
for (const worker of workers) worker.kill('SIGKILL');

const { rows } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'));
const failures = [...new Set(rows.flatMap(({ error }) => error ?? []))];

const nearStart = performance.now();
const nearCode = await run([...sweep, '--workers', '2', '--results', 'near']);
const nearSeconds = (performance.now() - nearStart) / 1000;

const parse = (name, file) => JSON.parse(readFileSync(join(folder, name, file), 'utf8'));
const timeless = ({ elapsedMs: _elapsedMs, ...rest }) => JSON.stringify(rest);
const [far, near] = [new Set(resultsOf('far')), resultsOf('near')];
const lost = near.filter((file) => !far.has(file));
const wrong = near.filter(
  (file) => far.has(file) && timeless(parse('far', file)) !== timeless(parse('near', file)),
);
const workMs = [...far].reduce((sum, file) => sum + parse('far', file).elapsedMs, 0);
const report = {
  backend: options.backend,
  jobs: near.length,
  results: far.size,
  lost: lost.length,
  wrong: wrong.length,
  failures,
  exitCodes: [farCode, nearCode],
  workersKilled: kills,
  serverRestarted: restarted,
  farSeconds: Math.round(farSeconds * 10) / 10,
  nearSeconds: Math.round(nearSeconds * 10) / 10,
  workSecondsInJobs: Math.round(workMs / 100) / 10,
  overheadMsPerJob: Math.round(((farSeconds * 1000 * 2 - workMs) / far.size) * 100) / 100,
  cores: cpus().length,
  load: loadavg().map((each) => Math.round(each * 10) / 10),
};
console.log(JSON.stringify(report, null, 1));
await server.stop();
rmSync(folder, { recursive: true, force: true });
const isRight = lost.length + wrong.length === 0 && far.size === near.length && restarted;
process.exitCode = isRight && farCode === 0 ? 0 : 1;
