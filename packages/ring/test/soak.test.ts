// tier: deep
// A short soak: random kills of one role of three. `node bench/soak.mjs` is the long one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';

const SOAK = new URL('../../../bench/soak.mjs', import.meta.url).pathname;

test('no item is lost or duplicated and no thread hangs, whichever thread is killed', (t) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [SOAK, '--seconds', '4'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^\d+ rounds, [\d,]+ items, none lost and none twice/);
  t.diagnostic(stdout.trim());
});
