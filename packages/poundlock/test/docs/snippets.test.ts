// Every program in the documentation is run, and does what the documentation says.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { check } from '#src/check/index';
import type { Kernel } from '#src/program/index';
import { snippetsOf, type Snippet } from './snippets.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const docs = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))];
const snippets = docs
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => snippetsOf(join(root, name)));

// The folder is inside the package, so that `import … from 'poundlock'` finds it.
let folder = '';
before(() => {
  folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function load(snippet: Snippet, number: number): Promise<Kernel> {
  const file = join(folder, `${number}.ts`);
  writeFileSync(file, snippet.text);
  return ((await import(file)) as { default: Kernel }).default;
}

test('the README has a program', () => {
  assert.ok(snippets.some(({ file }) => file.endsWith('README.md')));
});

for (const [number, snippet] of snippets.entries()) {
  const name = snippet.file.slice(root.length + 1);
  test(`${name}:${snippet.line} is ${snippet.expected || 'labelled'}`, async () => {
    assert.notEqual(snippet.expected, '', 'write <!-- check: certified|RULE --> before the block');
    const kernel = await load(snippet, number);
    if (snippet.expected === 'throws') return assert.rejects(check(kernel), /threw: /);
    const { verdict, findings } = await check(kernel);
    if (snippet.expected === 'certified') assert.equal(verdict, 'certified');
    else assert.equal(findings[0]?.rule, snippet.expected);
  });
}
