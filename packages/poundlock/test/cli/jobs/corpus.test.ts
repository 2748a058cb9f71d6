// `poundlock check` with a results folder: one table, and only what changed is checked again.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from '../fake-host.ts';
import { meeting, RING_FILES } from './kernels.ts';

/** Kernels as `record` writes them: a folder for each. */
function recorded(): Record<string, string> {
  const kernels = [1, 2, 3].flatMap((meets) => {
    const { ptx, launch } = meeting(meets);
    const named = JSON.stringify({ ...JSON.parse(launch), ptx: 'kernel.ptx' });
    return [
      [`recorded/k${meets}/kernel.ptx`, ptx],
      [`recorded/k${meets}/launch.json`, named],
    ];
  });
  return { ...Object.fromEntries(kernels), 'recorded/bad/launch.json': '{' };
}

const CHECK = ['check', 'recorded', '--results', 'r', '--workers', '1'];

test('one table, the worst exit code, and only what changed is run again', async (t) => {
  const cwd = folder(t, recorded());
  const plain = await poundlock(cwd, ['check', 'recorded']);
  const first = await poundlock(cwd, [...CHECK, '--json']);
  assert.equal(first.code, 2);
  const { results } = JSON.parse(first.stdout);
  const verdicts = results.map((each: { verdict?: string }) => each.verdict ?? 'error');
  assert.deepEqual(verdicts, ['error', 'certified', 'certified', 'certified']);
  assert.equal(results[1].file, 'recorded/k1/launch.json');
  assert.match(first.stderr, /^poundlock: recorded\/bad\/launch\.json/);
  const { ptx } = meeting(5);
  writeFileSync(join(cwd, 'recorded/k2/kernel.ptx'), ptx);
  const again = await poundlock(cwd, CHECK);
  assert.match(again.stderr, /\n2 results already there\n$/);
  // The table is that of a run without a folder, but for times.
  const timeless = (text: string) => text.replaceAll(/, [\d.]+ m?s$/gm, '').split('\n').length;
  assert.equal(timeless(again.stdout), timeless(plain.stdout));
  assert.match(again.stdout, /4 results: 3 certified, 1 could not run\n$/);
});

test('a finding from the results folder has its places and its replay command', async (t) => {
  const cwd = folder(t, {
    'k/ring.ts': RING_FILES['ring.ts'],
    'k/sizes.ts': RING_FILES['sizes.ts'],
  });
  const args = ['check', 'k/ring.ts', '--set', 'broken=true', '--sizes', 'requested', '--json'];
  const options = ['--shrink-tries', '0'];
  const plain = JSON.parse((await poundlock(cwd, [...args, ...options])).stdout);
  const stored = ['--results', 'r', '--workers', '1'];
  const first = await poundlock(cwd, [...args, ...options, ...stored]);
  const again = await poundlock(cwd, [...args, ...options, ...stored]);
  assert.equal(first.code, 1);
  assert.equal(again.stdout, first.stdout);
  const { findings } = JSON.parse(again.stdout);
  assert.deepEqual(findings, plain.findings);
  assert.match(
    findings[0].replayCommand,
    /^poundlock check k\/ring\.ts --set broken=true --replay/,
  );
});

test('shards of a corpus merge to the bytes of a single run', async (t) => {
  const cwd = folder(t, recorded());
  const whole = await poundlock(cwd, [...CHECK, '--json']);
  for (const part of ['1/2', '2/2']) {
    const args = ['check', 'recorded', '--workers', '1', '--shard', part];
    await poundlock(cwd, [...args, '--results', `p${part[0]}`]);
  }
  const merged = await poundlock(cwd, ['merge', 'p1', 'p2', '--json', 'm.json']);
  assert.equal(merged.code, 2);
  assert.equal(readFileSync(join(cwd, 'm.json'), 'utf8'), whole.stdout);
});
