// `check --link`: the files, the parameters and the schedule that the address has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readProgram } from '#src/explore/index';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The words of the link that a command prints. */
async function linkOf(cwd: string, ...argv: string[]) {
  const { stdout, stderr } = await poundlock(cwd, ['check', ...argv, '--link']);
  const [, address = '', words = ''] = /^playground: (.*?)#(.*)$/m.exec(stdout + stderr) ?? [];
  const link = new URLSearchParams(words);
  const files = await readProgram(link.get('program') ?? '');
  return { address, files, stdout, params: link.get('params'), path: link.get('path'), words };
}

test('a finding: the program, its schedule, and what was set', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER });
  const { address, files, params, path } = await linkOf(cwd, 'keeper.ts', '--set', 'tiles=3');
  assert.match(address, /^https:\/\/.*\/playground\/$/);
  assert.deepEqual(files, [{ name: 'keeper.ts', text: KEEPER }]);
  assert.deepEqual(JSON.parse(params!), { tiles: 3 });
  const replay = await poundlock(cwd, [
    'check',
    'keeper.ts',
    '--set',
    'tiles=3',
    '--replay',
    path!,
  ]);
  assert.equal(replay.code, 1);
});

test('a certified program has no schedule; a document on stdout stays one', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const { stdout, params, path } = await linkOf(cwd, 'ring.ts', '--json');
  assert.deepEqual([params, path], [null, null]);
  assert.equal((JSON.parse(stdout) as { results: unknown[] }).results.length, 1);
});

test('modules that a program imports come with it, by their paths', async (t) => {
  const entry = `export { default } from '../parts/ring.ts';\n`;
  const cwd = folder(t, { 'kernels/main.ts': entry, 'parts/ring.ts': RING, 'other.ts': '' });
  const { files } = await linkOf(cwd, 'kernels/main.ts');
  assert.deepEqual(files, [
    { name: 'kernels/main.ts', text: entry },
    { name: 'parts/ring.ts', text: RING },
  ]);
});

test('PTX comes with its launch', async () => {
  const { files, path } = await linkOf(ROOT, 'examples/ptx/tile-sum-early-release.sm90a.ptx');
  const names = files.map(({ name }) => name);
  assert.deepEqual(names, [
    'tile-sum-early-release.sm90a.ptx',
    'tile-sum-early-release.sm90a.launch.json',
  ]);
  assert.ok(path !== null);
});

test('one program, one set of parameters, one launch', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING, 'keeper.ts': KEEPER });
  const many = await poundlock(cwd, ['check', 'ring.ts', 'keeper.ts', '--link']);
  assert.match(many.stderr, /--link takes one file and one set of parameters/);
  assert.equal(many.code, 2);
  const argv = ['check', 'examples/ptx/tile-sum.sm90a.ptx', '--assume', 'boxes', '--link'];
  const assuming = await poundlock(ROOT, argv);
  assert.match(assuming.stderr, /--link opens what the launch file has/);
  assert.equal(assuming.code, 2);
});

test('the kernel and the launch that are chosen, and the launch of a finding', async (t) => {
  const [ptx, launch] = ['tile-sum-early-release.sm90a.ptx', 'launch.json'].map((name) =>
    readFileSync(join(ROOT, 'examples/ptx', name), 'utf8'),
  );
  const { params, grid, block, dynamicSharedMemory } = JSON.parse(launch!) as {
    readonly [name: string]: unknown;
    readonly params: readonly { readonly name?: string }[];
  };
  const sizes = (value: number) => ({
    grid,
    block,
    dynamicSharedMemory,
    params: params.map((one) => (one.name === 'tiles' ? { ...one, value, vary: undefined } : one)),
  });
  const cwd = folder(t, {
    'kernel.ptx': ptx!,
    'launch.json': JSON.stringify({ launches: [sizes(0), sizes(1)] }),
    'launch-2.json': JSON.stringify(sizes(8)),
  });
  const chosen = await linkOf(cwd, 'kernel.ptx', '--entry', 'tile_sum', '--launch-index', '1');
  assert.match(chosen.words!, /&entry=tile_sum&launch=2/);
  // Only the third launch has as many tiles that a stage is used again.
  const found = await linkOf(cwd, 'kernel.ptx');
  assert.match(found.stdout, /^error\[race\]/m);
  assert.match(found.words!, /&launch=3&path=/);
  assert.deepEqual(
    found.files.map(({ name }) => name),
    ['kernel.ptx', 'launch.json', 'launch-2.json'],
  );
});

test('a steps file is a program, too', async (t) => {
  const cwd = folder(t, {});
  const steps = ['check', join(ROOT, 'examples/ptx/tile-sum.sm90a.ptx'), '--steps', 'run.jsonl'];
  assert.equal((await poundlock(cwd, steps)).code, 0);
  const { files } = await linkOf(cwd, 'run.jsonl');
  assert.deepEqual(
    files.map(({ name }) => name),
    ['run.jsonl'],
  );
});
