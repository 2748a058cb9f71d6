// `poundlock explain --word` and `--address`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CROSSED } from '../hang/pair.ts';
import { folder, poundlock } from './fake-host.ts';

test('a word in one line', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['explain', '--word', '0xfffff800001ffffc']);
  assert.equal(code, 0);
  assert.match(stdout, /mbarrier of 2 arrivals.*parity 1 open, 1 of 2 arrivals to come/);
});

test('an address with a launch: who waits and who arrives', async (t) => {
  const launch = {
    grid: [1],
    block: [64],
    params: [{ kind: 'pointer' }, { kind: 'scalar', value: 3 }],
  };
  const path = folder(t, { 'pair.ptx': CROSSED, 'pair.launch.json': JSON.stringify(launch) });
  // Generic addresses, and those of another block of the cluster, have more above.
  for (const [address, name] of [
    ['0x408', 'empty\\[0\\]'],
    ['0x7f0000000400', 'full\\[0\\]'],
    ['0x1000408', 'empty\\[0\\] of block 1'],
  ] as const) {
    const { code, stdout } = await poundlock(path, ['explain', '--address', address, 'pair.ptx']);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(name));
    assert.match(stdout, /waited for by warp[01]/);
  }
});

test('an address without a launch: the lines of the PTX', async (t) => {
  const path = folder(t, { 'pair.ptx': CROSSED });
  const { stdout } = await poundlock(path, ['explain', '--address', '0x400', 'pair.ptx']);
  assert.match(stdout, /initialized: line \d+/);
});

test('options that cannot be used are refused', async (t) => {
  const path = folder(t, { 'pair.ptx': CROSSED });
  for (const words of [
    ['--word', 'x'],
    ['--address', '0x400'],
    ['--address', '-1', 'pair.ptx'],
    ['--address', '0x400', 'missing.ptx'],
    ['--word', '0x1', 'deadlock'],
    ['deadlock', '--launch', 'x.json'],
  ]) {
    const { code, stderr } = await poundlock(path, ['explain', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
