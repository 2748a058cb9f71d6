// Schemas of documents with verdicts list all assumptions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASSUMPTION_NAMES } from '#src/finding/assumption';

const SCHEMAS = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'schema');

/** The values of an enumeration somewhere in a schema that has one of them. */
function enumWith(value: string, schema: unknown): readonly string[] | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const { enum: values } = schema as { readonly enum?: unknown };
  if (Array.isArray(values) && values.includes(value)) return values as string[];
  for (const part of Object.values(schema)) {
    const found = enumWith(value, part);
    if (found !== null) return found;
  }
  return null;
}

for (const name of ['report', 'steps', 'certificate'])
  test(`${name}.json has every name of an assumption`, () => {
    const schema: unknown = JSON.parse(readFileSync(join(SCHEMAS, `${name}.json`), 'utf8'));
    assert.deepEqual(enumWith('H1', schema)?.toSorted(), ASSUMPTION_NAMES.toSorted());
  });
