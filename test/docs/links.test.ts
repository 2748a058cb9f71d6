// Every relative link of every Markdown page resolves, and every page can be reached from the index.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';
import { anchorsOf, linksOf, pagesUnder, textOf } from './pages.ts';

const PAGES = pagesUnder('.');

/** The path from the root that a link of a page leads to. */
function targetOf(page: string, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path));
}

for (const page of PAGES) {
  test(`${page}: links and anchors resolve`, () => {
    const broken = linksOf(textOf(page)).filter(({ target }) => {
      const path = targetOf(page, target);
      if (path.startsWith('..') || !existsSync(join(ROOT, path))) return true;
      const anchor = target.split('#')[1];
      return anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor);
    });
    assert.deepEqual(broken, []);
  });
}

test('every page of docs/ and bench/results/ can be reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md']);
  for (const page of reached) {
    for (const { target } of linksOf(textOf(page))) {
      const path = targetOf(page, target);
      if (path.endsWith('.md') && existsSync(join(ROOT, path))) reached.add(path);
    }
  }
  const pages = [...pagesUnder('docs'), ...pagesUnder('bench/results')];
  assert.deepEqual(
    pages.filter((page) => !reached.has(page)),
    [],
  );
});

test('every page of docs/ is in the index, or in the index of its folder', () => {
  const indices = ['docs/README.md', 'docs/decisions/README.md', 'docs/suspects/README.md'];
  const linksFrom = (index: string): string[] =>
    linksOf(textOf(index)).map(({ target }) => targetOf(index, target));
  const named = new Set(indices.flatMap(linksFrom));
  const pages = pagesUnder('docs').filter((page) => page !== 'docs/README.md');
  assert.deepEqual(
    pages.filter((page) => !named.has(page)),
    [],
  );
});

test('links in code are no links, and anchors are those of GitHub', () => {
  const text =
    '# A & `B`: c\n[x](y.md#z) `[no](no.md)`\n```\n[no](no.md)\n# no\n```\n## A & `B`: c';
  assert.deepEqual(linksOf(text), [{ line: 2, target: 'y.md#z' }]);
  assert.deepEqual(anchorsOf(text), ['a--b-c', 'a--b-c-1']);
});
