// Every file of tests belongs to a tier: main, or the one that its first line names.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tierOf, TIERS, withTiers } from '../../scripts/tests/tiers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TESTS = ['{packages,tools,tools/editors}/*/test/**/*.test.ts', 'test/**/*.test.ts'];

test('a first line names the tier', () => {
  const main = { tier: 'main', isAlone: false };
  assert.deepEqual(tierOf('packages/core/test/a.test.ts', '// What it shows.\n'), main);
  assert.deepEqual(tierOf('tools/fuzz/test/a.test.ts', '// tier: deep\n// What it shows.\n'), {
    tier: 'deep',
    isAlone: false,
  });
  const alone = '// tier: main, alone\n// What it shows.\n';
  assert.deepEqual(tierOf('packages/core/test/a.test.ts', alone), { ...main, isAlone: true });
});

for (const [file, text] of [
  ['packages/core/test/a.test.ts', '// tier: slow\n'],
  ['packages/core/test/a.test.ts', '// tier deep\n'],
  ['tools/fuzz/test/a.test.ts', '// What it shows.\n'],
] as const)
  test(`refused: ${text.trim()} of ${file}`, () => {
    assert.throws(() => tierOf(file, text), new RegExp(`^Error: ${file}:1 `));
  });

test('every file has a tier, and no tier is empty', () => {
  const files = withTiers(globSync(TESTS, { cwd: ROOT }), ROOT);
  assert.ok(files.length > 300, `${files.length} files`);
  for (const tier of TIERS)
    assert.ok(
      files.some((file) => file.tier === tier),
      tier,
    );
});
