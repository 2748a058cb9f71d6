// The JSON documents of check and run are what their schemas in docs/schema say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import { ALL_RULES } from '../../../core/src/finding/index.ts';
import { json } from '#src/report/json';
import { checked, EVERYTHING, report, surroundings } from '../report/sample.ts';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const SCHEMAS = join(import.meta.dirname, '../../../../docs/schema');

function read(name: string): Schema {
  return JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8')) as Schema;
}

function faults(name: string, text: string): string[] {
  const validator = new Validator(read(name), '7', false);
  validator.addSchema(read('finding.json'));
  const { errors } = validator.validate(JSON.parse(text));
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

test('every kind of outcome is a poundlock/check@2 document', () => {
  for (const outcome of EVERYTHING.outcomes) {
    assert.deepEqual(faults('check.json', json.render(report([outcome]), surroundings([]))), []);
  }
  assert.deepEqual(faults('check.json', json.render(EVERYTHING, surroundings([]))), []);
});

test('what check prints is a poundlock/check@2 document', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER, 'ring.ts': RING });
  const lines = [
    ['keeper.ts', '--set', 'tiles=20'],
    ['keeper.ts', 'ring.ts', 'gone.ts'],
    ['ring.ts', '--example'],
    ['ring.ts', '--every', 'tiles'],
    ['keeper.ts', '--replay', 'l1'],
    ['ring.ts', '--max-states', '1', '--engine', 'search'],
  ];
  for (const line of lines) {
    const { stdout } = await poundlock(cwd, ['check', ...line, '--json']);
    assert.deepEqual(faults('check.json', stdout), [], line.join(' '));
  }
});

test('what run prints is a poundlock/run@2 document', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER, 'ring.ts': RING });
  for (const line of [['keeper.ts'], ['ring.ts', '--conform']]) {
    const { stdout } = await poundlock(cwd, ['run', ...line, '--json']);
    assert.deepEqual(faults('run.json', stdout), [], line.join(' '));
  }
});

test('a token without its command is no document of the command line', () => {
  const [, { result }] = EVERYTHING.outcomes as [unknown, ReturnType<typeof checked>];
  const bare = { ...result.findings[0]!, replayCommand: undefined };
  const outcome = checked({ ...result, findings: [bare] });
  assert.notDeepEqual(faults('check.json', json.render(report([outcome]), surroundings([]))), []);
});

test('the schema knows every rule', () => {
  const { definitions } = read('finding.json') as { definitions: { rule: { enum: string[] } } };
  assert.deepEqual(definitions.rule.enum, ALL_RULES);
});
