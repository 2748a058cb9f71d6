// A number of 64 bits for what a step does: equal steps of different rounds have the same.
import { mix, seedOf, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import type { Step } from '../steps/step.ts';

const known = new WeakMap<Step, Wide>();
const seeds = new Map<string, number>();

function seed(text: string): number {
  let number = seeds.get(text);
  if (number === undefined) seeds.set(text, (number = seedOf(text)));
  return number;
}

/** Adds a field: all but phases, which each round has of its own. */
function add(key: Wide, name: string, value: unknown): void {
  if (name === 'phase') return;
  mix(key, seed(name), 0, 0);
  if (name === 'values' && Array.isArray(value)) return addValues(key, value as number[]);
  if (typeof value === 'number') mix(key, value | 0, Math.floor(value / 2 ** 32), 1);
  else if (typeof value === 'string') mix(key, seed(value), value.length, 0);
  else if (Array.isArray(value)) {
    mix(key, value.length, 0, 0);
    for (const each of value as readonly unknown[])
      if (typeof each === 'number') mix(key, each, 0, 1);
      else add(key, '', each);
  } else if (typeof value === 'object' && value !== null)
    for (const [field, each] of Object.entries(value)) add(key, field, each);
  else mix(key, seed(String(value)), 0, 0);
}

/** Of stored values those alone that are known. */
function addValues(key: Wide, values: readonly number[]): void {
  for (let index = 0; index < values.length; index += 2)
    if (values[index + 1] === 0) mix(key, values[index]!, 0, 1);
    else mix(key, 0, 0, 0);
}

/** The number of a step. */
export function keyOfStep(step: Step): Wide {
  let key = known.get(step);
  if (key === undefined) {
    known.set(step, (key = { low: 0, high: 0 }));
    start(key, 3);
    for (const name in step) add(key, name, step[name as keyof Step]);
  }
  return key;
}
