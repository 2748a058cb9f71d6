// The pages on which people arrive: short, with output that is real.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './pages.ts';
import { blocksOf } from './snippets.ts';

const FIVE_MINUTES = 'docs/how-to/ptx.md';
const MAX_WORDS = 400;

test('a kernel is checked in five minutes: the page has at most 400 words', () => {
  const words = textOf(FIVE_MINUTES).split(/\s+/).filter(Boolean);
  assert.ok(words.length <= MAX_WORDS, `${words.length} words`);
});

test('the page of the package shows lines of the finding that the documentation shows', () => {
  const shown = blocksOf(textOf('packages/poundlock/README.md')).find(({ text }) =>
    text.startsWith('error['),
  );
  const real = new Set(textOf(FIVE_MINUTES).split('\n'));
  const lines = shown!.text.trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line) => !real.has(line)),
    [],
  );
});

test('the first screens of the README are for CUDA, pipelines and TypeScript, in this order', () => {
  const text = textOf('README.md');
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);
  const [first = '', second = '', third = ''] = headings;
  assert.match(first, /CUDA/);
  assert.match(second, /pipeline/);
  assert.match(third, /^TypeScript/);
  const screen = text.slice(text.indexOf('## '), text.indexOf('\n## Design'));
  assert.match(screen, /\$ poundlock check [^\n]*\.ptx\nerror\[deadlock\]/);
});
