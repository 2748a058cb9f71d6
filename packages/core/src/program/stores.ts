// Stores: copies out of shared memory, which have read their source before all is written (G02).
import { UNITS, type Unit } from '../op/index.ts';

/** The units that store, and what each of them reads with. */
const READING = new Map<string, Unit>(
  [UNITS.tma, UNITS.bulk].map(({ name }) => {
    return [name, { name: `${name}.read`, order: 'any-order' }];
  }),
);

/** The units that stand for what stores read, in a fixed order. */
export const READING_UNITS: readonly Unit[] = [...READING.values()];

/** Whether a unit stores: its groups are waited for in two ways. */
export function hasStores({ name }: Unit): boolean {
  return READING.has(name);
}

/** The unit that stands for what the stores of a unit read. */
export function readingOf({ name }: Unit): Unit {
  return READING.get(name)!;
}
