// The options of kernels without a launch file, and `poundlock launch`, on the command line.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from '../cli/fake-host.ts';
import { exchange } from './texts.ts';

const FILES = {
  'right.ptx': exchange(),
  'wrong.ptx': exchange({ isRight: false }),
  'open.ptx': exchange({ directives: '', isRight: false }),
};

test('parts of a launch that are wrong are one line', async (t) => {
  const cwd = folder(t, FILES);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--block', '128'], /'block' is 128, and the kernel has \.maxntid 64/],
    [['--param', 'tiles=1'], /--param tiles: the kernel has .*out \(u64, 8 bytes\), rounds/],
    [['--param', '0=1'], /--param 0: it is a pointer: give its contents as @FILE\.json/],
    [['--param', '1=a'], /--param 1=a: write it as NAME=VALUE/],
    [['--param', '1=4..2'], /--param 1=4\.\.2 has no values: 4 is above 2/],
    [['--strict-launch'], /needs a launch file \(--strict-launch\)/],
    [['--every', 'rounds'], /has no launch file, and this option is about one launch/],
    [['--smem', '232000'], /over the 232,448 of sm_90a/],
  ];
  for (const [words, line] of cases) {
    const { code, stderr } = await poundlock(cwd, ['check', 'right.ptx', ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, line);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
});

test('a finding is replayed at its launch', async (t) => {
  const cwd = folder(t, FILES);
  for (const param of ['rounds=3', '1=3']) {
    const { code, stdout } = await poundlock(cwd, ['check', 'wrong.ptx', '--param', param]);
    assert.equal(code, 1);
    const command = /replay: poundlock (.*)/.exec(stdout)?.[1] ?? '';
    assert.ok(command.startsWith(`check wrong.ptx --param ${param} --replay `), command);
    const again = await poundlock(cwd, command.split(' '));
    assert.equal(again.code, 1, again.stderr);
  }
});

test('a time limit that ends runs of several blocks is no internal error', async (t) => {
  const cwd = folder(t, FILES);
  for (const limit of ['0.000001', '0.001', '0.01', '0.05']) {
    const { code, stderr } = await poundlock(cwd, ['check', 'open.ptx', '--timeout', limit]);
    assert.doesNotMatch(stderr, /internal error/);
    assert.ok(code === 1 || code === 3, `exit ${code}`);
  }
});

test('--json says where the launch comes from, and leaves schedules out by request', async (t) => {
  const cwd = folder(t, FILES);
  const words = ['check', 'open.ptx', '--block', '64', '--param', 'rounds=3', '--json'];
  const { stdout } = await poundlock(cwd, [...words, '--trace', 'none']);
  const { results, findings } = JSON.parse(stdout) as {
    results: { launch: { from: string; block: { from: string } } }[];
    findings: object[];
  };
  assert.deepEqual([results[0]!.launch.from, results[0]!.launch.block.from], ['inferred', 'given']);
  assert(!('trace' in findings[0]!));
  const whole = await poundlock(cwd, words);
  assert(whole.stdout.includes('"trace"'));
});

test('what launch writes, check takes, with parts replaced by options', async (t) => {
  const cwd = folder(t, FILES);
  const written = await poundlock(cwd, ['launch', 'right.ptx', '-o', 'l.json']);
  assert.equal(written.code, 0, written.stderr);
  const launch = JSON.parse(readFileSync(join(cwd, 'l.json'), 'utf8')) as {
    origin: object;
    params: { name: string; vary?: number[] }[];
  };
  assert.deepEqual(launch.origin, {
    grid: 'tried',
    block: 'text',
    cluster: 'text',
    dynamicSharedMemory: 'text',
  });
  assert(launch.params[1]!.vary!.includes(0));
  const same = await poundlock(cwd, ['check', 'right.ptx', '--launch', 'l.json']);
  assert.equal(same.code, 0, same.stderr);
  const other = ['check', 'wrong.ptx', '--launch', 'l.json', '--param', 'rounds=1'];
  writeFileSync(join(cwd, 'l.json'), JSON.stringify({ ...launch, ptx: undefined }));
  assert.equal((await poundlock(cwd, other)).code, 0);
  const more = await poundlock(cwd, [...other.slice(0, -1), 'rounds=1,4']);
  assert.equal(more.code, 1);
});

test('an error of a launch file whose block was guessed is a possible one', async (t) => {
  const cwd = folder(t, FILES);
  const params = [{ kind: 'pointer' }, { kind: 'scalar', type: 'i32', value: 3 }];
  const launch = { grid: [1], block: [64], params, origin: { block: 'tried' } };
  writeFileSync(join(cwd, 'l.json'), JSON.stringify(launch));
  const { code, stdout } = await poundlock(cwd, ['check', 'open.ptx', '--launch', 'l.json']);
  assert.equal(code, 3);
  assert.match(stdout, /possible error\[race\] under a guessed block/);
  const known = await poundlock(cwd, ['check', 'open.ptx', '--launch', 'l.json', '--block', '64']);
  assert.equal(known.code, 1);
});
