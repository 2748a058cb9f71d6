import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LINT_RULES, rulePageUrl } from '@poundlock/lint';
import plugin from 'eslint-plugin-poundlock';
import { parseRulePage } from '../../core/src/finding/rule-page.ts';
import { eslintIn, Project, VERSIONS } from './project.ts';

test('there is a rule for each diagnostic, and both presets turn all of them on', () => {
  // `linear` is the sound tier, which is configured for the files that it is for.
  assert.deepEqual(Object.keys(plugin.rules), [...LINT_RULES, 'linear']);
  for (const { rules = {} } of Object.values(plugin.configs)) {
    assert.deepEqual(
      Object.keys(rules),
      LINT_RULES.map((rule) => `poundlock/${rule}`),
    );
  }
});

for (const [name, ESLint] of Object.entries(VERSIONS)) {
  test(`${name}: the rejected program of each page shows its rule, the fixed one none`, async () => {
    using project = new Project();
    const expected: Record<string, string[]> = {};
    for (const rule of LINT_RULES) {
      const page = parseRulePage(readFileSync(rulePageUrl(rule), 'utf8'));
      const { rejected, fixed } = page.lint ?? page;
      expected[project.write(`src/${rule}.ts`, `${rejected}\n`)] = [`poundlock/${rule}`];
      expected[project.write(`src/${rule}-fixed.ts`, `${fixed}\n`)] = [];
    }
    const results = await eslintIn(project.root, ESLint).lintFiles(['src']);
    const reported = results.map(({ filePath, messages }) => {
      return [filePath, [...new Set(messages.map(({ ruleId }) => ruleId))]];
    });
    assert.deepEqual(Object.fromEntries(reported), expected);
  });
}
