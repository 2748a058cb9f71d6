import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from './fake-host.ts';

const OVERSEER = join(import.meta.dirname, '../../dist/cli/overseer.js');

/** Runs a text under an overseer that loses patience soon. */
function overseen(cwd: string, text: string) {
  const oversee = `import { oversee } from ${JSON.stringify(OVERSEER)};oversee(process.cwd(), 500);`;
  const script = `${oversee} await import(process.cwd() + '/${text}'); console.log('over');`;
  const argv = ['--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a text that never comes back is named with its line, exit 2', (t) => {
  const cwd = folder(t, { 'spin.mjs': 'let x = 0;\nwhile (x >= 0)\n  x = (x + 1) % 7;\n' });
  const { status, stdout, stderr } = overseen(cwd, 'spin.mjs');
  const expected =
    /^poundlock: spin\.mjs:[23]:\d+: still running after 0\.5 s: an infinite loop, or a loop without yield\*\?\n$/;
  assert.match(stderr, expected);
  assert.equal(stdout, '');
  assert.equal(status, 2);
});

test('a text that waits, or that works and comes back, is left alone', (t) => {
  const waits = 'await new Promise((resolve) => setTimeout(resolve, 1500));\n';
  const works =
    'for (let n = 0; n < 20; n++) {\n' +
    '  const end = Date.now() + 100;\n' +
    '  while (Date.now() < end);\n' +
    '  await new Promise(setImmediate);\n' +
    '}\n';
  const cwd = folder(t, { 'waits.mjs': waits, 'works.mjs': works });
  for (const text of ['waits.mjs', 'works.mjs']) {
    assert.deepEqual(overseen(cwd, text), { status: 0, stdout: 'over\n', stderr: '' });
  }
});
