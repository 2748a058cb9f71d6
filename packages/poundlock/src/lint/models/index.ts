// Every resource model, by preset.
import type { Model } from './model.ts';
import { stack } from './std/stack.ts';

export const PRESETS: Readonly<Record<string, readonly Model[]>> = {
  std: [stack],
};
