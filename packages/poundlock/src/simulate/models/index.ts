// The machine models by name.
import type { GpuModel } from '../model.ts';
import { abstract } from './abstract.ts';
import { b200 } from './b200.ts';
import { h200 } from './h200.ts';

export const MODELS: readonly GpuModel[] = [h200, b200, abstract];
