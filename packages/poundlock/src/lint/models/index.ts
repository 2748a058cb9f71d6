// Every resource model, by preset.
import type { Model } from './model.ts';
import { stack } from './std/stack.ts';

export const PRESETS: Readonly<Record<string, readonly Model[]>> = {
  std: [stack],
};

export interface ModelChoice {
  /** Names of presets; without them, all. */
  readonly presets?: readonly string[];
  /** Ids of models that are off unless they are asked for. */
  readonly optIn?: readonly string[];
  /** Models of one's own. */
  readonly models?: readonly Model[];
}

/** The models of a run. What TypeScript's own library declares is always known. */
export function chosenModels({ presets, optIn = [], models = [] }: ModelChoice): Model[] {
  const names = presets === undefined ? Object.keys(PRESETS) : ['std', ...presets];
  const chosen = names.flatMap((name) => PRESETS[name] ?? []);
  return [...models, ...chosen.filter(({ id, optIn: off }) => !off || optIn.includes(id))];
}
