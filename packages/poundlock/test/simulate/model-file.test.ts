// Model files: what is written can be read again, and every mistake has one line with its place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { InputError } from '../../../core/src/base/index.ts';
import { MODEL_NAMES, MODELS, modelText, PARAMETERS, readModelText } from '#src/simulate/index';
import type { GpuModel, ParameterName } from '#src/simulate/index';

const SCHEMA = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'schema', 'model.json');
const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema;
const validator = new Validator(schema, '7', false);

type Document = Record<string, unknown> & { parameters: Record<string, unknown> };

const small = (changes: Record<string, unknown> = {}): Document => ({
  schema: 'poundlock/model@1',
  name: 'mine',
  title: 'My GPU',
  base: 'h100',
  parameters: { hbmBytesPerNanosecond: { value: 2000, unit: 'bytes/ns', source: 'a data sheet' } },
  ...changes,
});

const valuesOf = ({ parameters }: GpuModel): Record<string, number> =>
  Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));

test('every model is the same after it was written and read', () => {
  // The abstract one has limits that are infinite, which JSON has no number for.
  for (const name of MODEL_NAMES.filter((one) => one !== 'abstract')) {
    const text = modelText(MODELS[name]);
    assert.ok(validator.validate(JSON.parse(text)).valid, name);
    const again = readModelText('mine.json', text);
    assert.deepEqual(again, readModelText('mine.json', modelText(again)));
    for (const [parameter, value] of Object.entries(valuesOf(again))) {
      const before = MODELS[name].parameters[parameter as ParameterName].value;
      assert.ok(Math.abs(value - before) <= 1e-5 * before, parameter);
    }
  }
});

test('a file with a base gives only what differs', () => {
  const document = small();
  assert.ok(validator.validate(document).valid);
  const model = readModelText('mine.json', JSON.stringify(document));
  assert.deepEqual([model.name, model.title, model.caveat], ['mine', 'My GPU', null]);
  assert.deepEqual(valuesOf(model), {
    ...valuesOf(MODELS.h100),
    hbmBytesPerNanosecond: 2000,
  });
  assert.equal(model.parameters.hbmBytesPerNanosecond.source, 'a data sheet');
  assert.equal(model.parameters.l2LatencyNanoseconds.source, 'from h100');
});

function faultOf(text: string): InputError {
  try {
    readModelText('mine.json', text);
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    assert.equal(error.position?.file, 'mine.json');
    return error;
  }
  return assert.fail(`accepted: ${text}`);
}

const parameter = (name: string, value: unknown) => small({ parameters: { [name]: value } });

const FAULTS: readonly (readonly [unknown, RegExp, isInSchema: boolean])[] = [
  [[], /is a JSON object/, true],
  [small({ schema: 'poundlock/model@2' }), /says "schema": "poundlock\/model@1"/, true],
  [small({ name: 'a b' }), /^name must be a short word/, true],
  [small({ title: '' }), /^title must be/, true],
  [small({ caveat: 1 }), /^caveat must be/, true],
  [small({ base: 'h300' }), /^base must be one of h200, /, true],
  [small({ parameters: [] }), /^parameters must be an object/, true],
  [small({ paramaters: {} }), /no "paramaters": did you mean parameters\?/, true],
  [small({ base: undefined }), /and \d+ more missing: give every parameter, or a "base"/, false],
  [parameter('hbmLatency', { value: 1 }), /a model has no "hbmLatency"/, false],
  [parameter('hbmLatencyNanoseconds', 1), /must be an object with a value/, true],
  [parameter('hbmLatencyNanoseconds', { value: '1' }), /\(ns\) must be a number/, true],
  [parameter('hbmLatencyNanoseconds', { value: -1 }), /must be from 0 to/, true],
  [parameter('hbmBytesPerNanosecond', { value: 0 }), /\(bytes\/ns\) must be above 0/, false],
  [parameter('multiprocessors', { value: 1.5 }), /\(SMs\) must be a whole number/, false],
  [parameter('tensorMegahertz', { value: 0 }), /must be above 0, as idleMegahertz is/, false],
  [parameter('idleMegahertz', { value: 1, unit: 'GHz' }), /is in MHz, not in "GHz"/, false],
  [parameter('idleMegahertz', { value: 1, source: '' }), /the source of idleMegahertz/, true],
  [parameter('idleMegahertz', { value: 1, from: 'x' }), /idleMegahertz has no "from"/, true],
];

test('a mistake is one line with its place', () => {
  for (const [document, message, isInSchema] of FAULTS) {
    const text = JSON.stringify(document, null, 2);
    assert.match(faultOf(text).message, message);
    assert.equal(validator.validate(JSON.parse(text)).valid, !isInSchema, text);
  }
  assert.match(faultOf('{').message, /^a model file is JSON, and this is not: /);
  const { position } = faultOf(JSON.stringify(parameter('hbmLatency', { value: 1 }), null, 2));
  assert.deepEqual(position, { file: 'mine.json', line: 7, column: 5 });
});

test('any JSON is a model or one line', () => {
  const names = Object.keys(PARAMETERS);
  const value = fc.oneof(fc.double(), fc.constant(0), fc.string(), fc.constant(null));
  const parameters = fc.dictionary(
    fc.constantFrom(...names),
    fc.record({ value, unit: fc.constantFrom('ns', 'cycles', undefined) }),
  );
  fc.assert(
    fc.property(fc.oneof(parameters, fc.jsonValue()), (any) => {
      const text = JSON.stringify(small({ parameters: any }));
      try {
        const model = readModelText('mine.json', text);
        assert.ok(Object.values(valuesOf(model)).every((one) => one >= 0));
      } catch (error) {
        assert.ok(error instanceof InputError);
      }
    }),
  );
});
