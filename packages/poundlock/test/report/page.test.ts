import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN, renderPage, renderPageList } from '#src/report/index';
import type { Page } from '../../../core/src/finding/pages/index.ts';
import { wrapped } from '#src/report/page';

const PAGE: Page = {
  rule: 'late-pass',
  title: 'a wait passes late',
  what: 'What happens. Why it matters.',
  rejected: 'bad();\n\nworse();',
  fix: 'good();',
  seeAlso: ['false-pass', 'race'],
};

test('a page shows what, a rejected program, the fix and its neighbours', () => {
  assert.equal(
    renderPage(PAGE, PLAIN),
    `warning[late-pass]: a wait passes late

What happens. Why it matters.

rejected

   bad();

   worse();

fix

   good();

see also: false-pass, race
`,
  );
});

test('the list has a line for each rule', () => {
  const list = renderPageList([PAGE, { ...PAGE, rule: 'race', title: 'two accesses' }], PLAIN);
  assert.match(list, /^late-pass {2}a wait passes late\nrace {7}two accesses\n\n/);
});

test('paragraphs are broken between words', () => {
  assert.deepEqual(wrapped('a bb ccc  dddd\neeeee', 6), ['a bb', 'ccc', 'dddd', 'eeeee']);
  assert.deepEqual(wrapped('unbreakable', 3), ['unbreakable']);
});
