// The identity of jobs and programs.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fakeHost, folder } from '../fake-host.ts';
import { meeting, RING_FILES } from './kernels.ts';
import { canonicalJson, jobHash, programOf, type Job } from '#src/cli/jobs/job';
import { isTimed } from '#src/cli/jobs/outcome';
import { engineVersion } from '#src/cli/jobs/own-code';
import { ofShard } from '#src/cli/jobs/plan';
import { loadProgram, readPtxProgram } from '#src/cli/jobs/read-program';

const JOB: Job = {
  schema: 'poundlock/job@1',
  engine: '0.1.0+abc',
  verb: 'check',
  program: 'f'.repeat(64),
  params: { stages: 2 },
  options: { sizes: 'requested' },
};

test('the order of fields is no part of an identity, all else is', () => {
  const { engine, ...rest } = JOB;
  assert.equal(jobHash({ ...rest, engine }), jobHash(JOB));
  const others: Job[] = [
    { ...JOB, engine: '0.1.1+abc' },
    { ...JOB, verb: 'simulate', options: { model: 'h200' } },
    { ...JOB, program: 'e'.repeat(64) },
    { ...JOB, params: { stages: 3 } },
    { ...JOB, params: { stages: '2' } },
    { ...JOB, options: { sizes: 'around' } },
  ];
  assert.equal(new Set([JOB, ...others].map(jobHash)).size, 1 + others.length);
});

test('canonical JSON is JSON, and does not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      assert.equal(canonicalJson(reversed), text);
    }),
    { numRuns: 200, seed: 1 },
  );
});

test('shards divide the jobs: each is in exactly one', () => {
  const jobs = Array.from({ length: 23 }, (_, at) => at);
  const parts = [1, 2, 3, 4].map((index) => ofShard(jobs, { index, count: 4 }));
  assert.deepEqual(
    parts.flat().toSorted((a, b) => a - b),
    jobs,
  );
  assert.ok(parts.every((part) => part.length >= 5 && part.length <= 6));
});

test('a program is its entry and all that it imports, packages with their manifests', async (t) => {
  const cwd = folder(t, {
    ...RING_FILES,
    'sizes.ts': `export { TILES } from 'tiles';\n`,
    'node_modules/tiles/package.json': '{"name":"tiles","type":"module","exports":"./index.js"}',
    'node_modules/tiles/index.js': 'export const TILES = 6;\n',
  });
  const { program } = await loadProgram('ring.ts', fakeHost(cwd).host);
  const { text } = program;
  assert.ok(text.kind === 'module');
  assert.deepEqual(
    text.files.map(({ file }) => file),
    ['node_modules/tiles/index.js', 'node_modules/tiles/package.json', 'ring.ts', 'sizes.ts'],
  );
  assert.equal(text.entry, 'ring.ts');
});

test('the folder of a program is no part of it', async (t) => {
  const [one, other] = [folder(t, RING_FILES), folder(t, RING_FILES)];
  const hash = async (cwd: string) =>
    (await loadProgram('ring.ts', fakeHost(cwd).host)).program.sha256;
  assert.equal(await hash(one), await hash(other));
});

test('a kernel as built is its PTX and all launches beside it', async (t) => {
  const { ptx, launch } = meeting(1);
  const cwd = folder(t, { 'k/kernel.ptx': ptx, 'k/launch.json': launch });
  const { host } = fakeHost(cwd);
  const read = async () => (await readPtxProgram('k/kernel.ptx', host)).program;
  const first = await read();
  assert.ok(first.text.kind === 'ptx');
  assert.equal(first.text.launch.file, 'launch.json');
  mkdirSync(join(cwd, 'k'), { recursive: true });
  writeFileSync(join(cwd, 'k', 'launch-2.json'), launch);
  assert.notEqual((await read()).sha256, first.sha256);
});

test('the version is that of the code', () => {
  assert.match(engineVersion(), /^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
});

test('what time ended is not kept', () => {
  const base = { schema: 'poundlock/result@1', hash: '', job: JOB } as const;
  const timed = { ...JOB, options: { timeoutMs: 100 } };
  const failed = { failed: { error: 'timeout', verdict: 'inconclusive' as const } };
  assert.equal(isTimed({ ...base, outcome: failed, elapsedMs: 500 }), false);
  assert.equal(isTimed({ ...base, job: timed, outcome: failed, elapsedMs: 500 }), true);
  assert.equal(isTimed({ ...base, job: timed, outcome: failed, elapsedMs: 50 }), false);
});

test('a program is named by its text', () => {
  const { ptx, launch } = meeting(1);
  const text = {
    kind: 'ptx',
    ptx: { file: 'a.ptx', text: ptx },
    launch: { file: 'launch.json', text: launch },
    otherLaunches: [],
    assumeBoxes: false,
  } as const;
  assert.equal(programOf(text).sha256, programOf({ ...text }).sha256);
  assert.notEqual(programOf(text).sha256, programOf({ ...text, assumeBoxes: true }).sha256);
});
