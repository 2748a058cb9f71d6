// Lint on the examples: correct ones are clean; for broken ones, lint reports the same rule as
// `check` where the source shows the defect.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { lintFiles } from './programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const GOLDEN = join(ROOT, 'packages', 'poundlock', 'test', 'golden', 'broken');

/** Rules that need a schedule are reported by `check` alone. */
const SHOWN = [
  'adopted-twice',
  'double-release',
  'escaped-stage',
  'forgotten-handle',
  'loop-captures',
  'nondeterministic-role',
  'use-after-release',
];

/** Rules of `check`, and what `lint` calls the same defect. */
const OF_LINT: Readonly<Record<string, string>> = { 'child-outlives-parent': 'use-after-release' };

function findings(pattern: string): Map<string, Set<string>> {
  const files = globSync(pattern, { cwd: ROOT }).map((file) => join(ROOT, file));
  const rules = new Map<string, Set<string>>();
  for (const { rule, primary } of lintFiles(files)) {
    const name = basename(primary.file, '.ts');
    rules.set(name, (rules.get(name) ?? new Set()).add(rule));
  }
  return rules;
}

test('correct examples are clean', () => {
  assert.deepEqual([...findings('examples/*.ts')], []);
  assert.deepEqual([...findings('examples/{models,sm100,cute,real,h200,warnings}/**/*.ts')], []);
});

test('in broken examples, lint reports the same rule as check', () => {
  const found = findings('examples/broken/*.ts');
  assert.deepEqual([...found.keys()].sort(), SHOWN);
  for (const [name, rules] of found) {
    const expected = readFileSync(join(GOLDEN, `${name}.txt`), 'utf8');
    const [, rule = ''] = /^(?:error|warning)\[([\w-]+)\]/m.exec(expected) ?? [];
    assert.ok(rules.has(OF_LINT[rule] ?? rule), `${name}: ${[...rules].join()} and not ${rule}`);
  }
});
