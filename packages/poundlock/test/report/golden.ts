// Golden files of whole reports, kept beside this one; UPDATE_GOLDEN=1 rewrites them.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'golden');
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** Compares `text` with the golden file `name`, or makes it the golden file. */
export function expectReport(name: string, text: string): void {
  const path = join(FOLDER, name);
  if (UPDATE) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  assert.equal(text, readFileSync(path, 'utf8'), `${name}; UPDATE_GOLDEN=1 rewrites it`);
}
