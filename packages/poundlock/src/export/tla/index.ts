// A model as a TLA+ module.
import type { Model } from '../model.ts';

export function tla(model: Model): string {
  return model.kernel;
}
