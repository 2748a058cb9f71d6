// Threads that die, hang or refuse: no job is lost, and each failure says why.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fakeHost, folder } from '../fake-host.ts';
import { RING_FILES } from './kernels.ts';
import { jobHash, programOf, type Job } from '#src/cli/jobs/job';
import { engineVersion } from '#src/cli/jobs/own-code';
import { parseResult, type Outcome } from '#src/cli/jobs/outcome';
import { JobPool, type PooledJob, type PoolOptions, lateness } from '#src/cli/jobs/pool';
import { loadProgram } from '#src/cli/jobs/read-program';

const KERNEL = `import { kernel } from 'poundlock';\n`;

function poolOf(t: TestContext, options: Partial<PoolOptions> = {}) {
  const pool = new JobPool({ threads: 1, now: () => performance.now(), ...options });
  t.after(() => pool.close());
  return pool;
}

async function outcomeOf(pool: JobPool, pooled: PooledJob): Promise<Outcome> {
  return parseResult(await pool.run(pooled)).outcome;
}

/** A program that nothing reads: the thread loads a file. */
const UNREAD = programOf({ kind: 'module', entry: '', files: [] });

function simulation(path: string, sha256: string, params: Job['params'] = {}): PooledJob {
  const job: Job = {
    schema: 'poundlock/job@1',
    engine: engineVersion(),
    verb: 'simulate',
    program: sha256,
    params,
    options: { model: 'h200' },
  };
  return { hash: jobHash(job), job, source: { path, sha256 }, program: UNREAD };
}

async function programIn(cwd: string, file: string) {
  const { host } = fakeHost(cwd);
  const { program } = await loadProgram(file, host);
  return program;
}

test('a program that travels as text has the result of its file', async (t) => {
  const cwd = folder(t, RING_FILES);
  const program = await programIn(cwd, 'ring.ts');
  const pool = poolOf(t);
  const local = simulation(join(cwd, 'ring.ts'), program.sha256, { stages: 3 });
  const sent = { ...local, source: { program } };
  // The thread is sent the text once.
  const jobs = [local, sent, sent].map((pooled) => outcomeOf(pool, pooled));
  const [one, other, again] = await Promise.all(jobs);
  assert.deepEqual(one, other);
  assert.deepEqual(one, again);
  assert.ok('ok' in one!);
});

test('a text that does not have its hash is not run', async (t) => {
  const cwd = folder(t, RING_FILES);
  const program = await programIn(cwd, 'ring.ts');
  const sha256 = '0'.repeat(64);
  const outcome = await outcomeOf(poolOf(t), {
    ...simulation('', sha256),
    source: { program: { ...program, sha256 } },
  });
  assert.ok('failed' in outcome);
  assert.match(outcome.failed.error, /does not have the hash/);
});

test('a program that was changed meanwhile is not run', async (t) => {
  const cwd = folder(t, RING_FILES);
  const job = simulation(join(cwd, 'ring.ts'), '1'.repeat(64));
  const outcome = await outcomeOf(poolOf(t), job);
  assert.ok('failed' in outcome && /changed after the command/.test(outcome.failed.error));
});

test('a program that ends its thread fails after all tries, and others go on', async (t) => {
  const cwd = folder(t, {
    ...RING_FILES,
    'exits.ts': `${KERNEL}process.exit(7);\nexport default kernel('x', {}, () => []);`,
  });
  const pool = poolOf(t);
  const program = await programIn(cwd, 'ring.ts');
  const good = simulation(join(cwd, 'ring.ts'), program.sha256);
  const bad = simulation(join(cwd, 'exits.ts'), '2'.repeat(64));
  const [failed, done] = await Promise.allSettled([pool.run(bad), pool.run(good)]);
  assert.equal(done.status, 'fulfilled');
  assert.equal(failed.status, 'rejected');
  assert.match(String(failed.status === 'rejected' && failed.reason), /on each of 3 tries/);
});

test('a program that hangs is ended', async (t) => {
  const cwd = folder(t, { 'hangs.ts': `${KERNEL}for (;;);\n` });
  const pool = poolOf(t, { maxSilentMs: 300 });
  const job = simulation(join(cwd, 'hangs.ts'), '3'.repeat(64));
  await assert.rejects(pool.run(job), /still running after 0\.3 s: an infinite loop/);
});

/** Works for some processor time before it is a kernel. */
const WORKS = `import process from 'node:process';
import { kernel } from 'poundlock';
for (let used = 0; used < 500_000; used = process.threadCpuUsage().user);
export default kernel('works', {}, () => []);\n`;

test('on a busy machine, where a thread hardly runs, what it does takes long and is no hang', async (t) => {
  const cwd = folder(t, { 'works.ts': WORKS });
  // The clock runs ten times as fast as the thread: silent for 5 s and more, of which it has worked for half a second.
  const now = () => performance.now() * 10;
  const pool = poolOf(t, { now, maxSilentMs: 3_000, maxBlockedMs: Number.POSITIVE_INFINITY });
  const { sha256 } = await programIn(folder(t, RING_FILES), 'ring.ts');
  const outcome = await outcomeOf(pool, simulation(join(cwd, 'works.ts'), sha256));
  assert.ok('failed' in outcome && /changed after/.test(outcome.failed.error), 'it came back');
});

test('the message of a limit says how far a search came', () => {
  const progress = { states: 1_234, transitions: 5_000, depth: 40, frontier: 56 };
  const job = { ...simulation('a.ts', '5'.repeat(64)).job };
  const lateAt = (own: typeof progress | null): string | null =>
    lateness({ startedAt: 0, progress: own }, { job, limitMs: 200 }, 300);
  assert.equal(
    lateAt(progress),
    'the bound job-limit of 0.2 s was reached after 1,234 states to depth 40, 56 open: raise it ' +
      'with --job-limit',
  );
  assert.equal(lateAt(null), 'the bound job-limit of 0.2 s was reached: raise it with --job-limit');
  assert.equal(lateness({ startedAt: 0, progress }, { job, limitMs: 200 }, 100), null);
});

test('a job is ended at its limit, with a message, and others go on', async (t) => {
  const cwd = folder(t, { ...RING_FILES, 'hangs.ts': `${KERNEL}for (;;);\n` });
  const pool = poolOf(t);
  const job = { ...simulation(join(cwd, 'hangs.ts'), '4'.repeat(64)), limitMs: 200 };
  const { sha256 } = await programIn(cwd, 'ring.ts');
  const next = pool.run(simulation(join(cwd, 'ring.ts'), sha256));
  await assert.rejects(pool.run(job), {
    message: 'the bound job-limit of 0.2 s was reached: raise it with --job-limit',
  });
  assert.ok('ok' in parseResult(await next).outcome);
});
