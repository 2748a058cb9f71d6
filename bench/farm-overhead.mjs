// What a farm costs a job beside its work: jobs that do nothing, through two worker processes.
//
//   node bench/farm-overhead.mjs [--jobs 5000] [--backend redis|postgres] [--threads 1]
//
// Starts a server of its own and two workers whose jobs return at once. Prints JSON: milliseconds of
// the clock and of the processors for each job, by process. The clock counts what two workers take
// together, so a job costs twice that of one worker; on a busy machine only processor time means
// something. Needs Linux, whose /proc says what a process has used.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Farm } from '../tools/farm/src/public.ts';
import { startPostgres, startRedis } from '../tools/farm/test/servers.ts';

const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '5000' },
    backend: { type: 'string', default: 'redis' },
    threads: { type: 'string', default: '1' },
  },
});
const JOBS = Number(options.jobs);
const MS_PER_TICK = 10;
const VERSION = '0.1.0+bench';
const WORKERS = 2;
const WARM = 500;
/** A result of a simulation has about so many bytes. */
const RESULT = JSON.stringify({ schema: 'poundlock/result@1', text: 'x'.repeat(900) });

const server = await (options.backend === 'postgres' ? startPostgres() : startRedis());
const worker = `
const { Farm } = await import(${JSON.stringify(join(import.meta.dirname, '../tools/farm/src/public.ts'))});
const farm = Farm.open({ url: ${JSON.stringify(server.url)}, version: '${VERSION}' });
const result = ${JSON.stringify(RESULT)};
await farm.work(async () => result, { concurrency: ${options.threads}, trustsPrograms: false }).ready;
`;
const start = () => {
  const args = ['--conditions=poundlock-source', '--input-type=module', '-e', worker];
  return spawn(process.execPath, args, { stdio: 'inherit' });
};

/** Milliseconds of the processors that a process has used, with all its threads. */
function usedMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

const body = JSON.stringify({ schema: 'poundlock/job@1', options: 'x'.repeat(300) });
const program = { sha256: 'p'.repeat(64), body: JSON.stringify({ text: { kind: 'ptx' } }) };
const jobsOf = (name, count) =>
  Array.from({ length: count }, (_, at) => {
    const id = createHash('sha256').update(`${name} ${at}`).digest('hex');
    return { id, body, program: program.sha256, isCode: false };
  });

const workers = Array.from({ length: WORKERS }, start);
const farm = Farm.open({ url: server.url, version: VERSION });
const through = async (jobs) => {
  let results = 0;
  await farm.add([program], jobs);
  await farm.collect(jobs, () => void results++);
  if (results !== jobs.length) throw new Error('a job has no result, or two');
};
await through(jobsOf('warm', WARM));
const pids = [...workers.map(({ pid }) => pid), process.pid, server.pid];
const before = pids.map(usedMs);
const startMs = performance.now();
await through(jobsOf('measured', JOBS));
const clockMs = performance.now() - startMs;
const used = pids.map((pid, at) => usedMs(pid) - before[at]);
const each = (ms) => Math.round((ms / JOBS) * 100) / 100;
const ofWorkers = used.slice(0, WORKERS).reduce((sum, ms) => sum + ms, 0);
console.log(
  JSON.stringify({
    backend: options.backend,
    jobs: JOBS,
    load: loadavg()[0],
    clockMsPerJobAndWorker: each(clockMs * WORKERS),
    cpuMsPerJob: {
      worker: each(ofWorkers),
      command: each(used[WORKERS]),
      server: each(used[WORKERS + 1]),
      all: each(used.reduce((sum, ms) => sum + ms, 0)),
    },
  }),
);
for (const one of workers) one.kill('SIGKILL');
await farm.close();
await server.stop();
