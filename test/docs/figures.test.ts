// Figures of the README and of the page on trust are those of the measurements that they cite.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './pages.ts';

const README = textOf('README.md');
const TRUST = textOf('docs/explanation/trust.md');

function figureOf(text: string, pattern: RegExp): string[] {
  const [, ...found] = pattern.exec(text.replaceAll(/\s+/g, ' ')) ?? [];
  assert.ok(found.length > 0, `${pattern}`);
  return found;
}

/** The medians of a table of errors, in percent. */
function mediansOf(page: string): number[] {
  const rows = textOf(page).matchAll(/^\|[^|]+\| \d+ \| ([\d.]+) % \|/gm);
  const all = [...rows].map(([, median]) => Number(median));
  assert.ok(all.length > 3, page);
  return all;
}

test('lint: precision and recall of the sets that it had not seen', () => {
  const page = textOf('bench/results/lint-real-code.md');
  const measured = figureOf(page, /(\d+) wrong functions\), .*?\((\d+ %)\), .*?\((\d+ %)\)/);
  const [bugs, precision, recall] = measured;
  const cited = /right in (\d+ %) of its findings and finds (\d+ %) of the bugs/;
  assert.deepEqual(figureOf(README, cited), [precision, recall]);
  const trusted = /\((\d+) bugs\), (\d+ %) of its findings were right, it found (\d+ %)/;
  assert.deepEqual(figureOf(TRUST, trusted), [bugs, precision, recall]);
  const functions = /([\d,]+) functions of (\d+) public repositories/;
  assert.deepEqual(figureOf(TRUST, functions), figureOf(page, functions));
});

test('simulate: the range of the median errors', () => {
  const pages = ['bench/results/accuracy.md', 'bench/results/unfitted.md'];
  const medians = pages.flatMap(mediansOf);
  const range = [Math.min(...medians), Math.max(...medians)].map((error) => error.toFixed(1));
  assert.deepEqual(figureOf(README, /median error of ([\d.]+)–([\d.]+) %/), range);
});
