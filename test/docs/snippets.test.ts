// Every program in the documentation is run, and does what the documentation says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { check } from '../../packages/poundlock/src/check/index.ts';
import type { Kernel } from '../../packages/core/src/program/index.ts';
import { ROOT as root } from '../../packages/poundlock/test/golden/golden.ts';
import { pagesUnder } from './pages.ts';
import { snippetsOf, type Snippet } from './snippets.ts';

const readmes = ['core', 'dialects', 'linear', 'lint', 'poundlock', 'ring'].map(
  (name) => `packages/${name}/README.md`,
);
const snippets = ['README.md', ...readmes, ...pagesUnder('docs')].flatMap((page) =>
  snippetsOf(join(root, page)),
);

const RUN_TIMEOUT_MS = 60_000;

// The folder is inside the repository, so that `import … from 'poundlock'` finds it.
let folder = '';
before(() => {
  folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function write(snippet: Snippet, number: number): string {
  const file = join(folder, `${number}.ts`);
  writeFileSync(file, snippet.text);
  return file;
}

/** Runs a program in a process of its own, and answers what it prints. */
function printed(file: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the README has a program', () => {
  assert.ok(snippets.some(({ file }) => file.endsWith('README.md')));
});

for (const [number, snippet] of snippets.entries()) {
  const name = snippet.file.slice(root.length + 1);
  test(`${name}:${snippet.line} is ${snippet.expected || 'labelled'}`, async () => {
    const help = 'write <!-- check: certified|RULE --> or <!-- run: OUTPUT --> before the block';
    assert.notEqual(snippet.expected, '', help);
    const file = write(snippet, number);
    if (snippet.verb === 'run') return assert.ok(printed(file).includes(snippet.expected));
    const { default: kernel } = (await import(file)) as { default: Kernel };
    if (snippet.expected === 'throws') return assert.rejects(check(kernel), /threw: /);
    const { verdict, findings } = await check(kernel);
    if (snippet.expected === 'certified') assert.equal(verdict, 'certified');
    else assert.equal(findings[0]?.rule, snippet.expected);
  });
}
