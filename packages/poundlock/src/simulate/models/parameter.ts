// How models write their numbers down: a value, its unit, where it comes from.
import type { ModelParameter } from '../model.ts';

/** Makes parameters of one source. */
export function from(source: string): (value: number, unit?: string) => ModelParameter {
  return (value, unit = 'cycles') => ({ value, unit, source });
}
