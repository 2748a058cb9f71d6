// Each rule links to its page, which `poundlock explain` prints.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LINT_RULES, titleOf } from '@poundlock/lint';
import plugin from 'eslint-plugin-poundlock';
import { parseRulePage } from '../../core/src/finding/rule-page.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'core', 'rules');

for (const rule of LINT_RULES) {
  test(`poundlock/${rule} links to its page, and has its title`, () => {
    const { url = '', description } = plugin.rules[rule].meta?.docs ?? {};
    const path = fileURLToPath(url);
    assert.equal(path, join(FOLDER, `${rule}.md`));
    const page = parseRulePage(readFileSync(path, 'utf8'));
    assert.deepEqual([page.rule, page.title], [rule, description]);
    assert.equal(description, titleOf(rule));
  });
}
