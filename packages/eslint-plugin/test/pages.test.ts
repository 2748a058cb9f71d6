// The page of each rule is what `poundlock explain` says: written once, and copied here.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LINT_RULES, pageOf } from '@poundlock/lint';
import plugin from 'eslint-plugin-poundlock';
import { pageAsMarkdown } from '../../poundlock/src/report/sarif-rule.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'rules');
const UPDATE = process.env['UPDATE_DOCS'] === '1';

for (const rule of LINT_RULES) {
  test(`docs/rules/${rule}.md is the page of the rule`, () => {
    const page = pageOf(rule);
    const text = `# poundlock/${rule}: ${page.title}\n\n${pageAsMarkdown(page)}`;
    const path = join(FOLDER, `${rule}.md`);
    if (UPDATE) writeFileSync(path, text);
    assert.equal(readFileSync(path, 'utf8'), text, 'UPDATE_DOCS=1 rewrites it');
    assert.equal(fileURLToPath(plugin.rules[rule].meta?.docs?.url ?? ''), path);
  });
}

test('there is no page of a rule that is gone', () => {
  const names = LINT_RULES.map((rule) => `${rule}.md`);
  assert.deepEqual(readdirSync(FOLDER).sort(), [...names].sort());
});
