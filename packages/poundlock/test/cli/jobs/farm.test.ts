// tier: release
// `sweep --farm` with workers as processes: the bytes of a local run; code runs only where trusted.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { REDIS, startRedis } from '../../../../../tools/farm/test/servers.ts';
import { folder, poundlock } from '../fake-host.ts';
import { meeting, RING_FILES } from './kernels.ts';
import { openFarm } from '#src/cli/farm/open-farm';
import { pageData } from '#src/cli/farm/status-page';
import { statusText } from '#src/cli/farm/status-text';
import { canonicalJson, jobHash, type Job } from '#src/cli/jobs/job';
import { engineVersion } from '#src/cli/jobs/own-code';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'poundlock.js');
const skip = REDIS === null && 'redis-server is not installed';

/** A worker as a process. */
function startWorker(t: TestContext, url: string, ...options: string[]): ChildProcess {
  const args = [BIN, 'worker', '--farm', url, '--workers', '1', ...options];
  const worker = spawn(process.execPath, args, { stdio: 'ignore' });
  t.after(() => worker.kill('SIGKILL'));
  return worker;
}

test('a farm has the bytes of a local run, and its workers refuse code', { skip }, async (t) => {
  const server = await startRedis();
  t.after(() => server.stop());
  const { ptx, launch } = meeting(2);
  const cwd = folder(t, {
    ...RING_FILES,
    'k/kernel.ptx': ptx,
    'k/launch.json': JSON.stringify({ ...JSON.parse(launch), ptx: 'kernel.ptx' }),
    'evil.ts': `import { writeFileSync } from 'node:fs';
import { kernel } from 'poundlock';
writeFileSync(new URL('ran', 'file://CWD/'), '');
export default kernel('evil', {}, () => []);\n`,
  });
  // Without trust, a worker takes kernels as built and nothing else.
  const careful = startWorker(t, server.url);
  const checked = await poundlock(cwd, ['check', 'k', '--farm', server.url, '--json']);
  const local = await poundlock(cwd, ['check', 'k', '--workers', '1', '--json']);
  assert.equal(checked.code, 0);
  assert.equal(checked.stdout, local.stdout);

  // A program that shows that it ran, under its right name and as if it were data.
  const marker = join(cwd, 'ran');
  const text = readFileSync(join(cwd, 'evil.ts'), 'utf8').replace('CWD', cwd);
  const evil = {
    sha256: 'e'.repeat(64),
    text: { kind: 'module', entry: 'evil.ts', files: [{ file: 'evil.ts', text }] },
  };
  const job: Job = {
    schema: 'poundlock/job@1',
    engine: engineVersion(),
    verb: 'check',
    program: evil.sha256,
    params: {},
    options: {},
  };
  const farm = await openFarm(server.url);
  t.after(() => farm.close());
  const jobs = [false, true].map((isCode) => {
    const own = { ...job, params: { isCode } };
    return { id: jobHash(own), body: canonicalJson(own), program: evil.sha256, isCode };
  });
  await farm.add([{ sha256: evil.sha256, body: JSON.stringify(evil) }], jobs);
  const failures: string[] = [];
  await farm.collect(jobs.slice(0, 1), (result) => {
    failures.push('failure' in result ? result.failure : 'it ran');
  });
  assert.match(failures.join(), /^refused: the program is code/);
  const status = await farm.status();
  assert.equal(status.waitingForTrust, 1);
  assert.equal(existsSync(marker), false);
  const shown = statusText(status, Date.now());
  assert.match(shown, /^1 job waits, 0 run, 1 is done, 1 failed\n1 job for a worker with --trust/);
  assert.match(JSON.stringify(pageData(status, Date.now())), /refused: the program is code/);
  await farm.clear();

  // A worker that trusts programs runs the sweep.
  careful.kill('SIGKILL');
  startWorker(t, server.url, '--trust-programs');
  const sweep = ['sweep', 'ring.ts', '--over', 'stages=1..3', '--verb', 'simulate', '--json'];
  const far = await poundlock(cwd, [...sweep, '--farm', server.url, '--results', 'far']);
  const near = await poundlock(cwd, [...sweep, '--workers', '1', '--results', 'near']);
  assert.equal(far.code, 0, far.stderr);
  assert.equal(far.stdout, near.stdout);
  // The files of results have the same bytes, but for times.
  const timeless = (name: string) =>
    readdirSync(join(cwd, name)).map((file) => {
      const text = readFileSync(join(cwd, name, file), 'utf8');
      return `${file} ${text.replace(/"elapsedMs":[\d.]+\}\n$/, '')}`;
    });
  assert.equal(timeless('far').length, 4);
  assert.deepEqual(timeless('far'), timeless('near'));
});

test('a farm needs its address', async (t) => {
  const cwd = folder(t, RING_FILES);
  const { code, stderr } = await poundlock(cwd, ['farm', 'status', '--farm', 'http://x']);
  assert.equal(code, 2);
  const far = ['farm', 'status', '--farm', 'redis://:secret@127.0.0.1:1'];
  const refused = await poundlock(cwd, far);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /^poundlock: --farm redis:\/\/:…@127\.0\.0\.1:1: /);
  assert.match(stderr, /^poundlock: --farm http:\/\/x: the address of a farm starts with redis/);
});
