// Pages that a test writes: the committed page must be the one that the test produces.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const UPDATE = process.env['UPDATE_DOCS'] === '1';

/** Compares `text` with the page at `path` in the repository, or writes it there. */
export function expectPage(path: string, text: string): void {
  const file = join(ROOT, path);
  if (UPDATE) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'), `${path}; UPDATE_DOCS=1 rewrites it`);
}
