// Notation for the parameters of a model: value, unit and source.
import type { ModelParameter } from '../model.ts';

/** Creates parameters of one source. */
export function from(source: string): (value: number, unit?: string) => ModelParameter {
  return (value, unit = 'cycles') => ({ value, unit, source });
}
