// Notation for the parameters of a model: value and source.
import type { GpuModelParameter } from '../model.ts';

/** Creates parameters of one source. */
export function from(source: string): (value: number) => GpuModelParameter {
  return (value) => ({ value, source });
}
