// tier: deep
// Every public name of poundlock/cute is described in docs/reference/dialects.md, or is a type of a
// named one's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as cute from '@poundlock/dialects/cute';
import { ROOT } from '../../../poundlock/test/golden/golden.ts';

const page = readFileSync(join(ROOT, 'docs', 'reference', 'dialects.md'), 'utf8');

test('docs/reference/dialects.md names every export', () => {
  for (const name of [...Object.keys(cute), ...Object.keys(cute.cutlass)]) {
    // A handle's class is documented by its methods, a participant's by the calls that create it.
    if (/^(Pipeline)?(Producer|Consumer)(Handle)?$/.test(name)) continue;
    assert.match(page, new RegExp(`\\b${name}\\b`), name);
  }
});

test('docs/reference/dialects.md links to examples that are there', () => {
  const links = [...page.matchAll(/\]\(((?:\.\.\/)+examples\/[^)]+)\)/g)].map(([, link]) => link!);
  assert.ok(links.length > 10);
  for (const link of links) readFileSync(join(ROOT, 'docs', 'reference', link), 'utf8');
});
