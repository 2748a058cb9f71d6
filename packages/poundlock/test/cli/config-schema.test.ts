// docs/schema/config.json takes what the tables take, key by key.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import { CHECKS, PROJECT_KERNELS } from '#src/check/index';

const URL_OF_SCHEMA = new URL('../../../../docs/schema/config.json', import.meta.url);
const SCHEMA = JSON.parse(readFileSync(URL_OF_SCHEMA, 'utf8')) as Schema;
const CHECK = SCHEMA.properties!['check'] as Schema;
const KERNELS = (CHECK.properties!['kernels'] as Schema).items as Schema;

/** Values of every kind that a configuration can say. */
const VALUES: readonly unknown[] = [
  'text',
  'practice',
  'around',
  'boxes',
  0,
  64,
  -1,
  1.5,
  true,
  [],
  ['text'],
  [64],
  [8, 2, 1],
  [1, 2, 3, 4],
  [-1],
  [{}],
  {},
  { tiles: 4 },
  { tiles: '1..8' },
  { tiles: true },
  { tiles: [] },
  { files: 'kernel.ptx' },
];

const accepted = (schema: Schema, document: unknown): boolean =>
  new Validator(schema, '7', false).validate(document).valid;

test('options of kernels', () => {
  const names = Object.keys(PROJECT_KERNELS.values);
  assert.deepEqual(Object.keys(KERNELS.properties!).toSorted(), names.toSorted());
  for (const [name, { accepts }] of Object.entries(PROJECT_KERNELS.values)) {
    for (const value of VALUES) {
      const document = { files: 'kernel.ptx', [name]: value };
      assert.equal(
        accepted(KERNELS, document),
        accepts(value),
        `${name}: ${JSON.stringify(value)}`,
      );
    }
  }
  assert.equal(accepted(KERNELS, {}), false);
  assert.equal(accepted(KERNELS, { files: 'kernel.ptx', file: 'kernel.ptx' }), false);
});

test('what a project takes for granted', () => {
  const names = Object.keys(CHECKS.values);
  assert.deepEqual(Object.keys(CHECK.properties!).toSorted(), names.toSorted());
  for (const [name, { accepts }] of Object.entries(CHECKS.values)) {
    if (name === 'kernels') continue;
    for (const value of VALUES)
      assert.equal(
        accepted(CHECK, { [name]: value }),
        accepts(value),
        `${name}: ${JSON.stringify(value)}`,
      );
  }
  assert.ok(accepted(SCHEMA, { check: { kernels: [{ files: ['a.ts'] }] }, lint: {} }));
  assert.equal(accepted(SCHEMA, { chek: {} }), false);
});
