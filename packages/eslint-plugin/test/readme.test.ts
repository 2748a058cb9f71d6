// The README: its table of rules matches the catalogue, and its configuration matches lint.md.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LINT_RULES, titleOf } from '@poundlock/lint';
import { configurationIn } from './configuration-in.ts';

const README = join(import.meta.dirname, '..', 'README.md');
const TABLE =
  /(?<=<!-- begin rules -->\n\| rule \| reports \|\n\|---\|---\|\n)[\s\S]*(?=<!-- end rules -->)/;
const PAGES = '../core/rules';

test('the README has every rule', () => {
  const rows = LINT_RULES.map(
    (rule) => `| [\`poundlock/${rule}\`](${PAGES}/${rule}.md) | ${titleOf(rule)} |\n`,
  );
  const text = readFileSync(README, 'utf8');
  const now = text.replace(TABLE, rows.join(''));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(README, now);
  assert.equal(readFileSync(README, 'utf8'), now, 'UPDATE_DOCS=1 rewrites it');
});

test('docs/reference/lint.md shows the same configuration', () => {
  const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'lint.md');
  assert.equal(configurationIn(page), configurationIn(README));
});
