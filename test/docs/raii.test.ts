// The counterexamples of docs/reference/ownership.md to destructors: with releases by hand they are
// certified.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { check } from '../../packages/poundlock/src/check/index.ts';
import type { Kernel } from '../../packages/core/src/program/index.ts';
import { snippetsOf } from './snippets.ts';

const RAII = /,\s*\{ ownership: 'raii' \}/;
const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(import.meta.dirname, 'raii-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const snippets = snippetsOf(join(root, 'docs', 'reference', 'ownership.md')).filter(({ text }) =>
  RAII.test(text),
);

test('docs/reference/ownership.md has programs with destructors, safe ones and others', () => {
  const verdicts = new Set(snippets.map(({ expected }) => expected));
  assert.deepEqual([...verdicts], ['certified', 'race', 'tmem-use-after-free']);
});

for (const { text, expected, line } of snippets) {
  test(`docs/reference/ownership.md:${line}, ${expected} as RAII, is certified without`, async () => {
    const file = join(folder, `${line}.ts`);
    writeFileSync(file, text.replace(RAII, ''));
    const { default: kernel } = (await import(file)) as { default: Kernel };
    assert.equal(kernel.ownership, 'explicit');
    const { verdict, findings } = await check(kernel);
    assert.deepEqual(findings, []);
    assert.equal(verdict, 'certified');
  });
}
