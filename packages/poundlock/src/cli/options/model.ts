// --model NAME: the GPU model that is simulated.
import { Option } from 'commander';
import { MODEL_NAMES, MODELS, type GpuModel, type ModelName } from '../../simulate/index.ts';

export const modelOption = (): Option =>
  new Option('--model <NAME>', 'the GPU model: b200 is not measured, abstract has unit costs')
    .choices([...MODEL_NAMES])
    .default('h200');

/** The model of that name, which the option has validated. */
export function modelNamed(name: string): GpuModel {
  return MODELS[name as ModelName];
}
