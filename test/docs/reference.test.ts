// The API reference has no broken link, and no type in it leads to one that is missing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { isInstalled } from '../../tools/site/install.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('TypeDoc has no warnings', (t) => {
  if (isInstalled()) return t.skip('test/site builds it, and fails with a warning of TypeDoc');
  const script = join(ROOT, 'scripts', 'api-docs.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 300_000,
  });
  assert.equal(status, 0, stdout + stderr);
});
