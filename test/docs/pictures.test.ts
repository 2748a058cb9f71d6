// The committed pictures are those that scripts/picture.mjs renders now.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { expectPage } from '../../packages/poundlock/test/generated-page.ts';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'poundlock-pictures-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('every picture is up to date', () => {
  const script = join(ROOT, 'scripts', 'picture.mjs');
  const flags = process.execArgv.filter((flag) => flag.startsWith('--conditions'));
  const { stderr, status } = spawnSync(process.execPath, [...flags, script, folder]);
  assert.equal(status, 0, String(stderr));
  const committed = readdirSync(join(ROOT, 'docs', 'pictures'));
  assert.deepEqual(readdirSync(folder), committed);
  for (const name of committed) {
    expectPage(`docs/pictures/${name}`, readFileSync(join(folder, name), 'utf8'));
  }
});
