// Recording from end to end without a GPU: every door to the driver, every way to launch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileStandIn, foldersOf, isSkipped, record, standInEnvironment } from './stand-in.ts';
import type { StandIn } from './stand-in.ts';

const skip = isSkipped;
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

for (const mode of ['linked', 'dlsym', 'dlvsym', 'proc', 'per-thread', 'library', 'enumerate']) {
  test(`${mode}: two launches of one kernel`, { skip }, async () => {
    const recorded = await record(standIn, mode);
    assert.equal(recorded.code, 0, recorded.stderr);
    assert.equal(recorded.printed, `${mode} ended\n`);
    const [kernel, ...others] = foldersOf(recorded);
    assert.equal(others.length, 0);
    assert.equal(kernel!.launches.length, 2);
    const [first, second] = kernel!.launches;
    assert.deepEqual([first!.kernel, first!.ptx.from, first!.ptx.exact], ['ring', 'program', true]);
    assert.deepEqual(
      [first!.grid, first!.block],
      [
        [2, 1, 1],
        [64, 1, 1],
      ],
    );
    assert.equal(first!.dynamicSharedMemory, 1024);
    assert.deepEqual(
      first!.parameters.map(({ offset, size }) => [offset, size]),
      [
        [0, 128],
        [128, 4],
        [132, 4],
        [136, 4],
        [144, 8],
      ],
    );
    // Only one integer is read: the others are as good as padding.
    assert.deepEqual(
      first!.parameters.slice(1, 4).map(({ bytes }) => bytes),
      ['02000000', '', ''],
    );
    assert.match(first!.parameters[4]!.bytes, /^0005[0-9a-f]{4}007f0000$/);
    assert.equal(second!.parameters[1]!.bytes, '06000000');
    assert.equal(second!.parameters[4]!.bytes, first!.parameters[4]!.bytes);
  });
}

test('the driver gets the same calls as without the recorder', { skip }, async () => {
  for (const mode of ['linked', 'per-thread', 'packed', 'graph', 'cluster']) {
    const recorded = await record(standIn, mode);
    const log = join(recorded.folder, 'plain');
    const env = standInEnvironment(standIn, { STANDIN_LOG: log });
    spawnSync(standIn.program, [mode, standIn.image, 'ring'], { env });
    assert.equal(recorded.calls, readFileSync(log, 'utf8'), mode);
  }
});

test(
  'a tensor map has its box, and a pointer what is left of its allocation',
  { skip },
  async () => {
    const [kernel] = foldersOf(await record(standIn, 'linked'));
    const [launch] = kernel!.launches;
    const [map] = launch!.tensorMaps;
    assert.deepEqual([map!['parameter'], map!['offset']], [0, 0]);
    assert.deepEqual(map!['box'], [64, 32]);
    assert.deepEqual(
      [map!['boxBytes'], map!['elementType'], map!['swizzle']],
      [4096, 'f16', '128'],
    );
    // The bytes of a map hold an address.
    assert.equal(launch!.parameters[0]!.bytes, '');
    const [pointer] = launch!.pointers;
    assert.deepEqual([pointer!['parameter'], pointer!['left']], [4, (1 << 20) - 256]);
    assert.match(String(pointer!['address']), /^0x7f00/);
  },
);

test(
  'a packed buffer is split as the PTX says, and padding makes no other launch',
  { skip },
  async () => {
    const [kernel] = foldersOf(await record(standIn, 'packed'));
    assert.equal(kernel!.launches.length, 1);
    const [launch] = kernel!.launches;
    assert.equal(launch!.parameters[1]!.bytes, '02000000');
    assert.equal(launch!.tensorMaps.length, 1);
    assert.equal(launch!.pointers[0]!['parameter'], 4);
  },
);

test('kernel nodes of graphs are launches', { skip }, async () => {
  const [kernel] = foldersOf(await record(standIn, 'graph'));
  assert.deepEqual(
    kernel!.launches.map(({ grid }) => grid[0]),
    [2, 2, 3, 5],
  );
});

test('attributes of a launch: cluster, cooperative, dependent', { skip }, async () => {
  const [kernel] = foldersOf(await record(standIn, 'cluster'));
  const [, , third, fourth] = kernel!.launches;
  assert.deepEqual([third!.cluster, third!.programmatic], [[2, 1, 1], true]);
  assert.deepEqual([fourth!.cluster, fourth!.cooperative], [[1, 1, 1], true]);
});

test(
  'a library that wraps the same function works before and behind the recorder',
  { skip },
  async () => {
    for (const preloaded of [standIn.wrapper]) {
      const recorded = await record(standIn, 'linked', { env: { LD_PRELOAD: preloaded } });
      assert.equal(recorded.printed, 'wrapped\nwrapped\nwrapped\nlinked ended\n');
      assert.equal(foldersOf(recorded)[0]!.launches.length, 2);
    }
  },
);

test('check takes the folder: one table, the exit code of the worst', { skip }, async () => {
  const recorded = await record(standIn, 'linked', { options: ['--check'] });
  assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
  assert.match(recorded.stdout, /launch\.json +certified/);
  assert.match(recorded.stdout, /2 results: 2 certified\n$/);
});
