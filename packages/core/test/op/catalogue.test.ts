import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CATALOGUE, OpKind } from '#src/op/index';

const root = join(import.meta.dirname, '..', '..', '..', '..');

test('every operation is in the catalogue, at its own number', () => {
  assert.equal(CATALOGUE.length, Object.keys(OpKind).length);
  for (const [name, kind] of Object.entries(OpKind)) assert.equal(CATALOGUE[kind]?.name, name);
});

test('every operation follows a rule that docs/reference/semantics.md has', () => {
  const rules = readFileSync(join(root, 'docs', 'reference', 'semantics.md'), 'utf8');
  for (const { name, rule } of CATALOGUE) {
    assert.match(rules, new RegExp(`^\\| ${rule} \\|`, 'm'), `${name} cites ${rule}`);
  }
});

test('silent and ghost operations are posted unless they answer', () => {
  const yielding = CATALOGUE.filter((op) => op.yields && op.class !== 'blocking');
  assert.deepEqual(yielding.map((op) => op.name).toSorted(), ['compute', 'loop', 'more', 'stage']);
});
