// Model files: reads and checks one; every mistake is one line with its place.
import { InputError, nearest } from '@poundlock/core/internal/base';
import type { GpuModel, GpuModelParameter } from '../model.ts';
import { MEASURED_TABLES } from '../measured-programs.ts';
import { MODELS } from '../models/index.ts';
import { MODEL_NAMES, type ModelName } from '../models/names.ts';
import { PARAMETER_NAMES, PARAMETERS, type ParameterName } from '../parameters.ts';
import { MODEL_SCHEMA } from './write.ts';

const FIELDS = ['$schema', 'schema', 'name', 'title', 'caveat', 'base', 'errors', 'parameters'];
const OF_PARAMETER = ['value', 'unit', 'source'];
const NAME = /^[\w.-]{1,40}$/;
/** Longer titles and sources fit no report. */
const MOST_TEXT = 200;
/** The largest value of a parameter, well below what loses whole numbers. */
const MOST_VALUE = 1e12;
/** Units that are counted in whole numbers. */
const WHOLE = new Set(['SMs', 'CTAs', 'threads', 'bytes', 'polls', 'instructions']);
/** Units of what a run divides by. */
const POSITIVE = new Set(['bytes/ns', 'bytes/cycle', 'operations/cycle', 'SMs', 'polls']);
/** Clocks that a model with an idle clock has, too. */
const CLOCKS = ['tensorMegahertz', 'sustainedMegahertz'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** A file that is read: its text finds the line of a mistake. */
class ModelFile {
  readonly #file: string;
  readonly #text: string;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** An error at the place of a key, or at the start of the file. */
  error(message: string, key?: string): InputError {
    const at = key === undefined ? 0 : Math.max(0, this.#text.indexOf(JSON.stringify(key)));
    const before = this.#text.slice(0, at).split('\n');
    const column = before.at(-1)!.length + 1;
    return new InputError(message, { file: this.#file, line: before.length, column });
  }

  fields(): Fields {
    let document: unknown;
    try {
      document = JSON.parse(this.#text);
    } catch (error) {
      const reason = String((error as Error).message).replaceAll(/\s+/g, ' ');
      throw this.error(`a model file is JSON, and this is not: ${reason}`);
    }
    if (!isFields(document)) throw this.error('a model file is a JSON object');
    return document;
  }

  /** Throws for a key that is none of `known`. */
  known(fields: Fields, known: readonly string[], what: string): void {
    const key = Object.keys(fields).find((one) => !known.includes(one));
    if (key === undefined) return;
    const guess = nearest(key, known);
    const help = guess === undefined ? '' : `: did you mean ${guess}?`;
    throw this.error(`${what} has no ${JSON.stringify(key)}${help}`, key);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MOST_TEXT;
}

/** What is wrong with the value of a parameter, or `null`. */
function valueFault(value: unknown, unit: string): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (value < 0 || value > MOST_VALUE) return `must be from 0 to ${MOST_VALUE}`;
  if (POSITIVE.has(unit) && value === 0) return 'must be above 0';
  if (WHOLE.has(unit) && !Number.isInteger(value)) return 'must be a whole number';
  return null;
}

function readParameter(file: ModelFile, name: ParameterName, field: unknown): GpuModelParameter {
  const { unit } = PARAMETERS[name];
  if (!isFields(field)) throw file.error(`${name} must be an object with a value`, name);
  file.known(field, OF_PARAMETER, name);
  const fault = valueFault(field['value'], unit);
  if (fault !== null) throw file.error(`${name} (${unit}) ${fault}`, name);
  if (field['unit'] !== undefined && field['unit'] !== unit) {
    throw file.error(`${name} is in ${unit}, not in ${JSON.stringify(field['unit'])}`, name);
  }
  const source = field['source'] ?? 'given in the model file';
  if (!isText(source)) throw file.error(`the source of ${name} must be a short text`, name);
  return { value: field['value'] as number, source };
}

/** The model that the file leaves the others to, if any. */
function readBase(file: ModelFile, base: unknown): GpuModel | null {
  if (base === undefined) return null;
  if (MODEL_NAMES.some((name) => name === base)) return MODELS[base as ModelName];
  throw file.error(`base must be one of ${MODEL_NAMES.join(', ')}`, 'base');
}

/** The errors that a fit has left, by the program that was measured. */
function readErrors(file: ModelFile, errors: unknown): GpuModel['errors'] {
  if (errors === undefined) return undefined;
  if (!isFields(errors)) throw file.error('errors must be an object', 'errors');
  file.known(errors, MEASURED_TABLES, 'errors');
  for (const [table, error] of Object.entries(errors)) {
    const isPair = Array.isArray(error) && error.length === 2;
    if (!isPair || error.some((one) => valueFault(one, '%') !== null)) {
      throw file.error(`the errors of ${table} must be a median and a 95th percentile`, table);
    }
  }
  return errors as NonNullable<GpuModel['errors']>;
}

/**
 * Reads the text of a model file.
 *
 * @throws InputError with the place of the first mistake.
 */
export function readModelText(name: string, text: string): GpuModel {
  const file = new ModelFile(name, text);
  const fields = file.fields();
  if (fields['schema'] !== MODEL_SCHEMA) {
    throw file.error(`a model file says "schema": "${MODEL_SCHEMA}"`, 'schema');
  }
  file.known(fields, FIELDS, 'a model file');
  const { name: short, title, caveat = null, base: baseName, parameters } = fields;
  if (typeof short !== 'string' || !NAME.test(short)) {
    throw file.error('name must be a short word', 'name');
  }
  if (!isText(title)) throw file.error('title must be a short text', 'title');
  if (caveat !== null && !isText(caveat)) {
    throw file.error('caveat must be a short text, or null', 'caveat');
  }
  if (!isFields(parameters)) throw file.error('parameters must be an object', 'parameters');
  const base = readBase(file, baseName);
  file.known(parameters, PARAMETER_NAMES, 'a model');
  const missing = PARAMETER_NAMES.filter((one) => parameters[one] === undefined);
  if (base === null && missing.length > 0) {
    const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
    throw file.error(
      `${missing[0]}${more} missing: give every parameter, or a "base"`,
      'parameters',
    );
  }
  const entries = PARAMETER_NAMES.map((one): [string, GpuModelParameter] => {
    if (parameters[one] !== undefined) return [one, readParameter(file, one, parameters[one])];
    return [one, { value: base!.parameters[one].value, source: `from ${base!.name}` }];
  });
  const all = Object.fromEntries(entries) as Record<ParameterName, GpuModelParameter>;
  const stopped = CLOCKS.find((clock) => all[clock].value === 0);
  if (stopped !== undefined && all.idleMegahertz.value > 0) {
    throw file.error(`${stopped} must be above 0, as idleMegahertz is`, stopped);
  }
  const errors = readErrors(file, fields['errors']);
  return { name: short, title, caveat, ...(errors !== undefined && { errors }), parameters: all };
}
