// The GPU models by name.
import { closed } from '@poundlock/core/internal/base';
import type { GpuModel } from '../model.ts';
import { abstract } from './abstract.ts';
import { b200 } from './b200.ts';
import { h100 } from './h100.ts';
import { h200 } from './h200.ts';
import type { ModelName } from './names.ts';

/** The GPU models by name. */
export const MODELS: Readonly<Record<ModelName, GpuModel>> = closed('MODELS', {
  h200,
  h100,
  b200,
  abstract,
});
