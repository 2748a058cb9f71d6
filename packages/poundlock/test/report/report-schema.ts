// The JSON schema of reports, docs/schema/report.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator, type Schema } from '@cfworker/json-schema';

const DOCS = join(import.meta.dirname, '..', '..', '..', '..', 'docs');
const schema = JSON.parse(readFileSync(join(DOCS, 'schema', 'report.json'), 'utf8')) as Schema;
const validator = new Validator(schema, '7', false);

/** What is wrong with a document, one line per fault; empty when it is valid. */
export function reportFaults(document: unknown): string[] {
  const { errors } = validator.validate(document);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
