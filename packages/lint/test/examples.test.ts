// The examples carry tags through the handles of their pipelines: the right ones are clean, and of
// the broken ones `lint` tells what a source can show, with the rule that `check` tells.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { lintFiles } from './programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const GOLDEN = join(ROOT, 'packages', 'poundlock', 'test', 'golden', 'broken');

/** What only a schedule shows is `check`'s alone. */
const SHOWN = [
  'adopted-twice',
  'double-release',
  'forgotten-handle',
  'loop-captures',
  'nondeterministic-role',
  'use-after-release',
];

function findings(pattern: string): Map<string, Set<string>> {
  const files = globSync(pattern, { cwd: ROOT }).map((file) => join(ROOT, file));
  const rules = new Map<string, Set<string>>();
  for (const { rule, primary } of lintFiles(files)) {
    const name = basename(primary.file, '.ts');
    rules.set(name, (rules.get(name) ?? new Set()).add(rule));
  }
  return rules;
}

test('examples that are right are clean', () => {
  assert.deepEqual([...findings('examples/*.ts')], []);
  assert.deepEqual([...findings('examples/{models,sm100,cute,real,h200,warnings}/**/*.ts')], []);
});

test('of broken examples, what a source shows has the rule that check tells', () => {
  const found = findings('examples/broken/*.ts');
  assert.deepEqual([...found.keys()].sort(), SHOWN);
  for (const [name, rules] of found) {
    const expected = readFileSync(join(GOLDEN, `${name}.txt`), 'utf8');
    const [, rule = ''] = /^(?:error|warning)\[([\w-]+)\]/m.exec(expected) ?? [];
    assert.ok(rules.has(rule), `${name}: ${[...rules].join()} and not ${rule}`);
  }
});
