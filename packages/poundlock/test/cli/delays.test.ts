// `check --delays`: the schedule of a finding as a PTX text with sleeps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CROSSED } from '../hang/pair.ts';
import { folder, poundlock } from './fake-host.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/ptx');
const text = (file: string): string => readFileSync(join(EXAMPLES, file), 'utf8');
const RACE = {
  'k.ptx': text('tile-sum-early-release.sm90a.ptx'),
  'k.launch.json': JSON.stringify({
    ...JSON.parse(text('tile-sum-early-release.sm90a.launch.json')),
    ptx: undefined,
  }),
};

test('the reads that are too late get sleeps, and the finding stays', async (t) => {
  const path = folder(t, RACE);
  const { code, stderr } = await poundlock(path, ['check', 'k.ptx', '--delays', 'out.ptx']);
  assert.equal(code, 1);
  assert.match(stderr, /out\.ptx: warp 1 sleeps 20,000 ns/);
  const written = readFileSync(join(path, 'out.ptx'), 'utf8');
  const sleeps = written.match(/nanosleep\.u32 20000;/g)?.length ?? 0;
  assert.ok(sleeps > 0);
  // Lines of the original are all there, in their order.
  const lines = new Set(written.split('\n'));
  for (const line of RACE['k.ptx'].split('\n')) assert.ok(lines.has(line), line);
  const again = ['check', 'out.ptx', '--launch', 'k.launch.json', '--json'];
  const { stdout } = await poundlock(path, again);
  assert.equal(JSON.parse(stdout).findings[0].rule, 'race');
});

test('another length of the sleep', async (t) => {
  const path = folder(t, RACE);
  await poundlock(path, ['check', 'k.ptx', '--delays', 'out.ptx', '--delay', '500']);
  assert.match(readFileSync(join(path, 'out.ptx'), 'utf8'), /nanosleep\.u32 500;/);
});

test('what cannot be delayed is said', async (t) => {
  const path = folder(t, { ...RACE, 'pair.ptx': CROSSED, 'k.ts': 'export default 1;' });
  for (const words of [
    ['k.ptx', '--delays', 'out.ptx', '--delay', '2000000'],
    ['k.ptx', '--delays', 'missing/out.ptx'],
    ['k.ts', '--delays', 'out.ptx'],
  ]) {
    const { code, stderr } = await poundlock(path, ['check', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
