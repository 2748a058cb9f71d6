// Pages of docs/ that a test writes: the committed page must be the one that the test makes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const UPDATE = process.env['UPDATE_DOCS'] === '1';

/** Compares `text` with the page `name` of docs/, or makes it the page. */
export function expectPage(name: string, text: string): void {
  const path = join(DOCS, name);
  if (UPDATE) writeFileSync(path, text);
  assert.equal(text, readFileSync(path, 'utf8'), `docs/${name}; UPDATE_DOCS=1 rewrites it`);
}
