// The processes of a fuzz bench: its options, a record for each process, and whether all ended.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** Seeds of one process. */
const APART = 2 ** 24;
/** Milliseconds that a process may need to start, and for its last program. */
const GRACE_MS = 40_000;

/** Runs the workers of `bench/<name>/worker.mjs`; the options, and whether each ended by itself. */
export async function runWorkers(name) {
  const { values: options } = parseArgs({
    options: {
      jobs: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '600' },
      programs: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
      'record-folder': { type: 'string', default: here(name) },
      page: { type: 'string', default: here(`results/${name}.md`) },
    },
  });
  mkdirSync(options['record-folder'], { recursive: true });
  const ids = Array.from({ length: Number(options.jobs) }, (_, at) => at + 1);
  const ended = await Promise.all(ids.map((id) => runWorker(name, options, id)));
  return { options, isEnded: !ended.includes(false) };
}

/** One process; whether it ended by itself, with or without disagreements. */
function runWorker(name, options, id) {
  const record = join(options['record-folder'], `record-${id}.json`);
  const seed = String((Number(options.seed) + id * APART) % 2 ** 31);
  const { seconds, programs } = options;
  const args = ['--conditions=poundlock-source', here(`${name}/worker.mjs`), '--record', record];
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
