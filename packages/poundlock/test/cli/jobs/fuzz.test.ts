// `poundlock fuzz` on the command line: real threads, with a right machine and with wrong ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder, poundlock } from '../fake-host.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');
const FUZZ = ['fuzz', '--workers', '1', '--kind', 'performed', '--seed', '3'];

test('what is there is not run again, and parts make the same report', async (t) => {
  const cwd = folder(t);
  const args = [...FUZZ, '--count', '27'];
  const first = await poundlock(cwd, [...args, '--results', 'all', '--json', 'all.json']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^performed +27 {2}\d+ certified, \d+ floating-op +0$/m);
  assert.match(first.stdout, /^27 programs, 27 of them decided, from seed 3: 0 disagreements$/m);
  // 25 in a chunk: a whole one and a part.
  assert.equal(readdirSync(join(cwd, 'all')).length, 3);
  const again = await poundlock(cwd, [...args, '--results', 'all', '--json', 'again.json']);
  assert.match(again.stderr, /^2 results already there$/m);
  for (const part of ['1/2', '2/2'])
    await poundlock(cwd, [...args, '--shard', part, '--results', `part-${part[0]}`]);
  const merged = await poundlock(cwd, ['merge', 'part-1', 'part-2', '--json', 'merged.json']);
  assert.deepEqual([merged.code, merged.stdout], [0, first.stdout]);
  const texts = ['all', 'again', 'merged'].map((name) =>
    readFileSync(join(cwd, `${name}.json`), 'utf8'),
  );
  assert.equal(new Set(texts).size, 1);
  const missing = await poundlock(cwd, ['merge', 'part-1']);
  assert.deepEqual([missing.code, missing.stderr], [3, 'poundlock: 1 result missing\n']);
});

test('a run by time goes on with the seed of its folder', async (t) => {
  const cwd = folder(t);
  const args = ['fuzz', '--workers', '1', '--kind', 'performed', '--results', 'r', '--time', '1ms'];
  const seedOf = async (): Promise<string> => {
    const { code, stdout } = await poundlock(cwd, args);
    assert.equal(code, 0);
    return /from seed (\d+)/.exec(stdout)![1]!;
  };
  assert.equal(await seedOf(), await seedOf());
});

/** Runs the command with another machine, which every thread loads before anything else. */
function withMachine(t: Parameters<typeof folder>[0], cwd: string, change: string, args: string[]) {
  const machine = pathToFileURL(join(ROOT, 'packages/core/src/machine/index.ts')).href;
  const text = `import { Machine } from '${machine}';\n${change}\n`;
  const path = join(folder(t, { 'machine.mjs': text }), 'machine.mjs');
  const bin = join(ROOT, 'packages', 'poundlock', 'bin', 'poundlock.js');
  const env = {
    ...process.env,
    NODE_OPTIONS: `--conditions=poundlock-source --import=${pathToFileURL(path).href}`,
  };
  return spawnSync(process.execPath, [bin, ...args], { cwd, env, encoding: 'utf8' });
}

const TOO_EARLY = `
const { passes } = Machine.prototype;
Machine.prototype.passes = function (words, barrier, phase) {
  return passes.call(this, words, barrier, phase) || passes.call(this, words, barrier, phase - 1);
};`;

test('a wrong rule is found, made small, kept, and shown again', async (t) => {
  const cwd = folder(t);
  const args = ['fuzz', '--workers', '1', '--kind', 'users', '--seed', '5', '--count', '4'];
  const { status, stdout, stderr } = withMachine(t, cwd, TOO_EARLY, args);
  assert.equal(status, 1, stderr);
  const [, module, stored] =
    /^disagreement users: check says certified.*\n {2}poundlock check (\S+) --memory none\n {2}poundlock fuzz --replay (\S+)$/m.exec(
      stdout,
    )!;
  // The right machine sees the error, and nothing to disagree about.
  const checked = await poundlock(cwd, ['check', module!, '--memory', 'none']);
  assert.equal(checked.code, 1, checked.stdout);
  const replayed = await poundlock(cwd, ['fuzz', '--replay', stored!]);
  assert.deepEqual([replayed.code, replayed.stdout], [0, `agreement users: ${stored}\n`]);
  // What is kept is tried first.
  const next = await poundlock(cwd, [...FUZZ, '--time', '1ms']);
  assert.equal(next.code, 0);
  assert.match(next.stderr, /^\d+ known disagreements?: 0 still there/m);
});

test('a program that ends its thread is found among the others', (t) => {
  const cwd = folder(t);
  const ends = `Machine.prototype.endRole = () => process.exit(7);`;
  const args = ['fuzz', '--workers', '1', '--kind', 'users', '--seed', '5', '--count', '2'];
  const { status, stdout, stderr } = withMachine(t, cwd, ends, args);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /^disagreement users: the thread ended \(exit code 7\)$/m);
});

test('mistakes in options are one line', async (t) => {
  const cwd = folder(t, { 'x.json': '{}' });
  const complaint = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await poundlock(cwd, ['fuzz', ...args]);
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(await complaint('--kind', 'user'), /^poundlock: --kind takes users, engines, .*\n$/);
  assert.match(
    await complaint('--shard', '1/2'),
    /^poundlock: --shard needs --results FOLDER, .*\n$/,
  );
  assert.match(await complaint('--time', '1s', '--count', '2'), /: leave one out\n$/);
  assert.match(await complaint('--replay', 'x.json'), /x\.json: not a disagreement that .*\n$/);
});
