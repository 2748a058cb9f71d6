// tier: release
// CONTRIBUTING.md names every file that a change needs: the script makes each change in a copy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

test('every list of files in CONTRIBUTING.md is what compiler and tests ask for', (t) => {
  const script = join(ROOT, 'scripts', 'contributing.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  for (const line of stdout.split('\n').filter((each) => /^\w/.test(each))) t.diagnostic(line);
  assert.equal(stderr, '');
  assert.equal(status, 0);
});
