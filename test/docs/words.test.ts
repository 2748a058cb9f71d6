// The documentation is plain technical American English: words that it does not use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesUnder, proseOf, textOf } from './pages.ts';

const PRIVATE =
  /\b(told|tells?|whoever|nobody|somebody|everybody|doomed|moods|heirs|fates|twins?|lent|for ever|can not)\b/i;
const STANDS = /\b(stands?|stood|standing) still\b/i;
const BRITISH =
  /\b(colours?|behaviours?|neighbours?|defence|favour\w*|cancelled|signalled|modelled|labelled|analys(e|es|ed)|(initial|recogn|organ|serial|synchron|optim|normal)is(e|es|ed|ing|ation))\b/i;

const PAGES = ['README.md', 'ARCHITECTURE.md', ...pagesUnder('docs'), ...pagesUnder('bench')];

for (const page of PAGES) {
  test(`${page}: words`, () => {
    const lines = proseOf(textOf(page)).map((line) => line.replaceAll(/`[^`]*`/g, ''));
    const found = lines.flatMap((line, at) => {
      const word = [PRIVATE, STANDS, BRITISH].map((words) => words.exec(line)?.[0]).find(Boolean);
      return word === undefined ? [] : [`${page}:${at + 1} ${word}`];
    });
    assert.deepEqual(found, []);
  });
}
