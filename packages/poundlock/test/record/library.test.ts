// What else a recorded process does: fork, threads, unloading, hangs, crashes, a full disk.
import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileStandIn, foldersOf, isSkipped, record } from './stand-in.ts';
import type { StandIn } from './stand-in.ts';

const skip = isSkipped;
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

test('a launch that hangs is recorded', { skip }, async () => {
  const shell = `STANDIN_LAUNCH=hang timeout -s KILL 1 '${standIn.program}' linked '${standIn.image}' ring`;
  const recorded = await record(standIn, 'linked', { shell });
  assert.equal(recorded.code, 137);
  assert.equal(foldersOf(recorded)[0]!.launches.length, 1);
});

test('a launch that crashes is recorded, with the exit code of the command', { skip }, async () => {
  const recorded = await record(standIn, 'linked', { env: { STANDIN_LAUNCH: 'crash' } });
  assert.equal(recorded.code, 134);
  assert.equal(foldersOf(recorded)[0]!.launches.length, 1);
});

test(
  'a child made by fork writes its own launches, also while a thread launches',
  { skip },
  async () => {
    const recorded = await record(standIn, 'fork', { options: ['--launches', '16'] });
    assert.equal(recorded.code, 0, recorded.printed);
    const grids = foldersOf(recorded)[0]!.launches.map(({ grid }) => grid[0]);
    assert.ok(grids.includes(9), grids.join());
  },
);

test('threads that launch at once write whole lines', { skip }, async () => {
  const recorded = await record(standIn, 'threads', { options: ['--launches', '16'] });
  assert.equal(recorded.code, 0);
  assert.doesNotMatch(recorded.stderr, /note:/);
  const grids = foldersOf(recorded)[0]!.launches.map(({ grid }) => grid[0]);
  assert.deepEqual(grids.toSorted(), [1, 2, 2, 3]);
});

test(
  'a handle that is used again belongs to the image that was loaded last',
  { skip },
  async () => {
    const recorded = await record(standIn, 'unload');
    assert.equal(recorded.code, 0, recorded.printed);
    const folders = foldersOf(recorded);
    assert.equal(folders.length, 2);
    const other = folders.find(({ ptx }) => ptx.includes('bar.sync 3'));
    assert.deepEqual(
      other!.launches[0]!.parameters.map(({ size }) => size),
      [8],
    );
  },
);

test('a full disk ends the recording, and not the program', { skip }, async () => {
  const recorded = await record(standIn, 'full-disk');
  assert.equal(recorded.code, 0);
  assert.equal(recorded.printed, 'full-disk ended\n');
});

test('a new grid is seen after many launches', { skip }, async () => {
  const recorded = await record(standIn, 'many');
  const grids = foldersOf(recorded)[0]!.launches.map(({ grid }) => grid[0]);
  assert.deepEqual(grids, [2, 2, 7]);
});

test('a tensor map behind a pointer is found with --follow', { skip }, async () => {
  const recorded = await record(standIn, 'follow', { options: ['--follow'] });
  const [launch] = foldersOf(recorded)[0]!.launches;
  const behind = launch!.tensorMaps.find((map) => map['behind'] === true);
  assert.deepEqual([behind!['parameter'], behind!['boxBytes']], [4, 4096]);
});

test(
  'a driver that does not say the sizes of parameters: the reason is shown',
  { skip },
  async () => {
    const recorded = await record(standIn, 'linked', { env: { STANDIN_OLD: '1' } });
    assert.equal(recorded.code, 0);
    assert.match(recorded.stderr, /left out, its PTX has other parameters/);
  },
);

test('paths and debug sections of the PTX are cut, and its lines stay', { skip }, async () => {
  const { ptx } = foldersOf(await record(standIn, 'linked'))[0]!;
  assert.match(ptx, /\.file 1 "kernel\.cu"\n\.file 2 "copy\.cuh"\n/);
  assert.doesNotMatch(ptx, /home|\.b8 47/);
  assert.equal(ptx.indexOf('.section'), ptx.lastIndexOf('.section'));
});

test('the files are private, and the raw recording is gone', { skip }, async () => {
  const { folder } = await record(standIn, 'linked');
  const out = join(folder, 'recorded');
  const [name, ...others] = readdirSync(out);
  assert.deepEqual(others, []);
  assert.equal(statSync(out).mode & 0o777, 0o700);
  assert.equal(statSync(join(out, name!, 'launch.json')).mode & 0o777, 0o600);
});

test('what cannot be recorded is one line and exit code 2', { skip }, async () => {
  const missing = await record(standIn, 'linked', { env: { CC: 'no-such-compiler' } });
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^poundlock: record compiles a small C library .*\n$/);
  const many = await record(standIn, 'linked', { options: ['--launches', '99'] });
  assert.deepEqual([many.code, many.stderr], [2, 'poundlock: --launches 99: at most 32\n']);
});

test('a kernel without a protocol is left out unless all are wanted', { skip }, async () => {
  const image = join(standIn.folder, 'plain.ptx');
  const text =
    '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry ring()\n{\nbar.sync 0;\nret;\n}\n';
  writeFileSync(image, text);
  const recorded = await record(standIn, 'linked', { image });
  assert.match(recorded.stderr, /left out, no mbarrier.*: 1 kernel \(ring\)/);
  const all = await record(standIn, 'linked', { image, options: ['--all'] });
  assert.equal(foldersOf(all).length, 1);
});
