// Notation for the parameters of a model: value, unit and source.
import type { GpuModelParameter } from '../model.ts';

/** Creates parameters of one source. */
export function from(source: string): (value: number, unit?: string) => GpuModelParameter {
  return (value, unit = 'cycles') => ({ value, unit, source });
}
