// --model NAME or FILE.json: the GPU model that is simulated.
import { resolve } from 'node:path';
import { Option } from 'commander';
import { InputError } from '@poundlock/core/internal/base';
import { readText } from '@poundlock/core/internal/host';
import { MODEL_NAMES, MODELS, readModelText } from '../../simulate/index.ts';
import type { GpuModel, ModelName } from '../../simulate/index.ts';

const NAMES = MODEL_NAMES.join(', ');

export const modelOption = (): Option =>
  new Option(
    '--model <NAME>',
    `${NAMES}, or a file of calibrate: b200 is not measured, abstract has unit costs`,
  ).default('h200');

/** The model of that name, or in that file, which an option asks for. */
export function modelNamed(name: string, cwd: string, option = '--model'): GpuModel {
  if (MODEL_NAMES.some((known) => known === name)) return MODELS[name as ModelName];
  if (!name.endsWith('.json')) {
    throw new InputError(`${option} must be ${NAMES} or a model file NAME.json, not "${name}"`);
  }
  return readModelText(name, textOf(name, cwd, option));
}

/** The text of a model file; `null` where the option names a model of poundlock. */
export function modelTextOf(name: string, cwd: string, option = '--model'): string | null {
  return name.endsWith('.json') ? textOf(name, cwd, option) : null;
}

function textOf(name: string, cwd: string, option: string): string {
  return readText(resolve(cwd, name), `${option} ${name}`);
}
