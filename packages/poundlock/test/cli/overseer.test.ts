import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folder } from './fake-host.ts';

const GUARD = join(import.meta.dirname, '../../src/cli/guard.ts');

/** A process that runs a module under a guard, which stops what is silent for half a second. */
function argvOf(file: string): string[] {
  const script = `
    import { Guard } from ${JSON.stringify(GUARD)};
    const load = () => import(process.cwd() + '/${file}');
    try {
      await new Guard(process.cwd(), 500).run('${file}', load);
      console.error('over');
    } catch ({ message, position }) {
      console.error(position.file.split('/').at(-1), position.line, message);
    }
    process.exitCode = 0;`;
  return ['--conditions=poundlock-source', '--input-type=module', '-e', script];
}

function guarded(cwd: string, file: string) {
  const argv = argvOf(file);
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a module that does not return is stopped with its line, and the process goes on', (t) => {
  const cwd = folder(t, { 'spin.mjs': 'let x = 0;\nwhile (x >= 0)\n  x = (x + 1) % 7;\n' });
  const { status, stderr } = guarded(cwd, 'spin.mjs');
  const expected =
    /^spin\.mjs [23] still running after 0\.5 s: an infinite loop, or a loop without yield\*\?\n$/;
  assert.match(stderr, expected);
  assert.equal(status, 0);
});

test('a module that waits, or that works and comes back, is left alone', (t) => {
  const waits = 'await new Promise((resolve) => setTimeout(resolve, 1500));\n';
  const works =
    'for (let n = 0; n < 20; n++) {\n' +
    '  const end = Date.now() + 100;\n' +
    '  while (Date.now() < end);\n' +
    '  await new Promise(setImmediate);\n' +
    '}\n';
  const cwd = folder(t, { 'waits.mjs': waits, 'works.mjs': works });
  for (const file of ['waits.mjs', 'works.mjs']) {
    assert.deepEqual(guarded(cwd, file), { status: 0, stdout: '', stderr: 'over\n' });
  }
});

test('a module that hardly runs, because the machine is busy, is left alone', async (t) => {
  const works = `import process from 'node:process';
    process.stdout.write('runs');
    for (let used = 0; used < 150_000; used = process.threadCpuUsage().user);`;
  const cwd = folder(t, { 'works.mjs': works });
  const child = spawn(process.execPath, argvOf('works.mjs'), { cwd });
  let shown = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (shown += text));
  const ended = new Promise((resolve) => void child.once('close', resolve));
  // It is stopped for longer than it may be silent, in the middle of its work, which takes much
  // less than that: the threads that compile and collect count, too.
  await new Promise((resolve) => void child.stderr.once('data', resolve));
  child.kill('SIGSTOP');
  await sleep(1_200);
  child.kill('SIGCONT');
  assert.equal(await ended, 0);
  assert.equal(shown, 'runsover\n');
});
