// The official JSON schema of SARIF 2.1.0, as Microsoft's own matchers ship it.
import { createRequire } from 'node:module';
import { Validator, type Schema } from '@cfworker/json-schema';

const load = createRequire(import.meta.url);
const schema = load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Schema;
const validator = new Validator(schema, '4', false);

/** What is wrong with a log, one line per fault; empty when it is valid. */
export function sarifFaults(log: unknown): string[] {
  const { errors } = validator.validate(log);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
