// How models write their numbers down: a value, its unit, where it comes from.
import type { GpuModelParameter } from '../model.ts';

/** Makes parameters of one source. */
export function from(source: string): (value: number, unit?: string) => GpuModelParameter {
  return (value, unit = 'cycles') => ({ value, unit, source });
}
