import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from './fake-host.ts';

const GUARD = join(import.meta.dirname, '../../src/cli/guard.ts');

/** Runs a module under a guard that stops what is silent for half a second. */
function guarded(cwd: string, file: string) {
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
  const argv = ['--conditions=poundlock-source', '--input-type=module', '-e', script];
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
