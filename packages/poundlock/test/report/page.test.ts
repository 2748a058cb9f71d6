import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { RulePage } from '../../../core/src/finding/index.ts';
import { PLAIN, renderPage, renderRuleList } from '#src/report/index';
import { LINEAR_ASSUMPTIONS, LINEAR_THEOREM } from '#src/report/linear-page';
import { wrapped } from '#src/report/page';

const PAGE: RulePage = {
  rule: 'late-pass',
  title: 'a wait passes late',
  what: 'What happens.\n\nWhy it matters.',
  rejected: 'bad();\n\nworse();',
  fixed: 'good();',
  seeAlso: ['false-pass', 'race'],
};

test('a page shows what, a rejected program, the fix and its neighbours', () => {
  assert.equal(
    renderPage(PAGE, PLAIN),
    `warning[late-pass]: a wait passes late

What happens.

Why it matters.

rejected

   bad();

   worse();

fixed

   good();

see also: false-pass, race
`,
  );
});

test('programs for lint follow those for check', () => {
  const lint = { rejected: 'late();', fixed: 'early();' };
  const programs = 'rejected by lint\n\n   late();\n\nfixed for lint\n\n   early();\n\nsee also';
  assert.ok(renderPage({ ...PAGE, lint }, PLAIN).includes(programs));
});

test('the list has a line for each rule', () => {
  const list = renderRuleList(['late-pass', 'race'], PLAIN);
  assert.match(list, /^late-pass +a wait passes because .*\nrace +two accesses to .*\n\n/);
  assert.match(list, /\n\nH1 +a read of a thread [^]*\nloop-state +a round of a loop /);
});

test('paragraphs are broken between words', () => {
  assert.deepEqual(wrapped('a bb ccc  dddd\neeeee', 6), ['a bb', 'ccc', 'dddd', 'eeeee']);
  assert.deepEqual(wrapped('unbreakable', 3), ['unbreakable']);
});

test('the page `linear` says what the documentation says', () => {
  const page = new URL('../../../../docs/explanation/linear.md', import.meta.url);
  const text = readFileSync(page, 'utf8').replaceAll('*', '').replaceAll(/\s+/g, ' ');
  for (const sentence of [LINEAR_THEOREM, ...LINEAR_ASSUMPTIONS]) {
    assert.ok(text.includes(sentence.replaceAll('*', '')), sentence);
  }
});
