// tier: release
// Jobs through a real server: exactly once, though workers are killed and the server restarts.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Farm, FinalError, type FarmJob, type FarmResult } from '#src/public';
import type { FarmWorker, RunJob, WorkOptions } from '#src/public';
import { POSTGRES, REDIS, startPostgres, startRedis, startValkey } from './servers.ts';
import { VALKEY, type Server } from './servers.ts';

const BACKENDS = [
  { name: 'Redis', start: startRedis, skip: REDIS === null && 'redis-server is not installed' },
  {
    name: 'Valkey',
    start: startValkey,
    skip: VALKEY === null && 'optional: valkey-server is not installed',
  },
  { name: 'PostgreSQL', start: startPostgres, skip: POSTGRES === null && 'no PostgreSQL here' },
] as const;

const PROGRAM = { sha256: 'p'.repeat(64), body: JSON.stringify({ text: { kind: 'ptx' } }) };
const VERSION = '0.1.0+test';

function jobsOf(count: number): FarmJob[] {
  return Array.from({ length: count }, (_, at) => {
    const body = `job ${at}`;
    const id = createHash('sha256').update(body).digest('hex');
    return { id, body, program: PROGRAM.sha256, isCode: false };
  });
}

function resultOf({ body }: FarmJob): string {
  return createHash('sha256').update(body).update(PROGRAM.body).digest('hex');
}

function startWorker({ url }: Server): ChildProcess {
  const entry = join(import.meta.dirname, 'hashing-worker.ts');
  return spawn(process.execPath, [entry, url, VERSION], { stdio: 'inherit' });
}

/** A server, its farm, and a function that starts a worker in this process. */
async function serverOf(t: TestContext, start: () => Promise<Server>) {
  const server = await start();
  const farm = Farm.open({ url: server.url, version: VERSION });
  const workers: FarmWorker[] = [];
  const work = (run: RunJob, options: WorkOptions): FarmWorker => {
    const worker = farm.work(run, options);
    workers.push(worker);
    return worker;
  };
  t.after(async () => {
    // A worker that outlives its connection asks for jobs without a pause.
    await Promise.all(workers.map((worker) => worker.close()));
    await farm.close();
    await server.stop();
  });
  return [server, farm, work] as const;
}

for (const { name, start, skip } of BACKENDS.slice(0, 2)) {
  test(
    `${name}: every result once, though a worker is killed and the server restarts`,
    { skip },
    async (t) => {
      const [server, farm] = await serverOf(t, start);
      const jobs = jobsOf(1_000);
      const results: FarmResult[] = [];
      const workers = [startWorker(server), startWorker(server)];
      t.after(() => workers.forEach((worker) => worker.kill('SIGKILL')));
      await farm.add([PROGRAM], jobs);
      const collecting = farm.collect(jobs, (result) => void results.push(result));
      // Some are done, some run: now the worker dies, later the server restarts.
      while (results.length < 200) await sleep(20);
      workers[0]!.kill('SIGKILL');
      workers.push(startWorker(server));
      while (results.length < 500) await sleep(20);
      await server.restart();
      await collecting;
      assert.equal(results.length, jobs.length);
      const byId = new Map(results.map((result) => [result.id, result]));
      for (const job of jobs)
        assert.deepEqual(byId.get(job.id), { id: job.id, result: resultOf(job) });
    },
  );
}

for (const { name, start, skip } of BACKENDS) {
  test(`${name}: equal jobs run once, a failure says why, code is not run`, { skip }, async (t) => {
    const [, farm, work] = await serverOf(t, start);
    const seen: string[] = [];
    const worker = work(
      ({ id, body }) => {
        seen.push(id);
        return body === 'poison' ? Promise.reject(new Error('never works')) : Promise.resolve(body);
      },
      { concurrency: 2, trustsPrograms: false },
    );
    await worker.ready;
    const code = { sha256: 'c'.repeat(64), body: JSON.stringify({ text: { kind: 'module' } }) };
    const good = { id: 'a'.repeat(64), body: 'good', program: PROGRAM.sha256, isCode: false };
    const bad = { ...good, id: 'b'.repeat(64), body: 'poison' };
    // Put into the queue of data under a wrong flag.
    const hidden = { ...good, id: 'd'.repeat(64), program: code.sha256 };
    const open = { ...hidden, id: 'e'.repeat(64), isCode: true };
    await farm.add([PROGRAM, code], [good, bad, hidden, open]);
    await farm.add([PROGRAM], [good]);
    const results = new Map<string, FarmResult>();
    await farm.collect([good, bad, hidden], (result) => void results.set(result.id, result));
    assert.deepEqual(results.get(good.id), { id: good.id, result: 'good' });
    assert.deepEqual(results.get(bad.id), { id: bad.id, failure: 'never works' });
    const refused = results.get(hidden.id)!;
    assert.ok('failure' in refused && refused.failure.startsWith('refused: the program is code'));
    assert.equal(seen.filter((id) => id === good.id).length, 1);
    assert.equal(seen.filter((id) => id === bad.id).length, 3, 'three tries');
    assert.ok(!seen.includes(hidden.id) && !seen.includes(open.id));
    const status = await farm.status();
    assert.deepEqual([status.completed, status.failed, status.waitingForTrust], [1, 2, 1]);
    assert.equal(status.workers.length, 1);
    assert.ok(status.workers[0]!.memoryBytes > 0);
    await worker.close();
    assert.equal((await farm.status()).workers.length, 0);
    await farm.clear();
    assert.equal((await farm.status()).waiting, 0);
  });
}

test(
  'a job may take longer than its lock; one that is ended fails at once',
  {
    skip: BACKENDS[0].skip,
  },
  async (t) => {
    const [, farm, work] = await serverOf(t, startRedis);
    const runs: string[] = [];
    const start = (lockMs: number) =>
      work(
        async ({ body, limitMs }) => {
          runs.push(`${body} ${limitMs}`);
          if (limitMs !== undefined) throw new FinalError('its time is up');
          await sleep(2.5 * lockMs);
          return body;
        },
        { concurrency: 1, prefetch: 1, trustsPrograms: false, lockMs },
      );
    start(3_000);
    start(3_000);
    const [long, next, cut] = jobsOf(3);
    const jobs = [long!, next!, { ...cut!, limitMs: 100 }];
    await farm.add([PROGRAM], jobs);
    const results: FarmResult[] = [];
    await farm.collect(jobs, (result) => void results.push(result));
    assert.deepEqual(runs.toSorted(), ['job 0 undefined', 'job 1 undefined', 'job 2 100']);
    assert.deepEqual(
      results.find(({ id }) => id === cut!.id),
      { id: cut!.id, failure: 'its time is up' },
    );
  },
);

test('an address that is none of a farm is refused', () => {
  assert.throws(() => Farm.open({ url: 'http://x', version: '1' }), /redis:\/\/ or postgres/);
});
