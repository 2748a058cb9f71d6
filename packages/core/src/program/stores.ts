// Copies out of shared memory, which have read their source before all is written (G02), and into
// it: which units make them.
import { UNITS, type Unit } from '../op/index.ts';

/** The units that store, and what each of them reads with. */
const READING = new Map<string, Unit>(
  [UNITS.tma, UNITS.bulk].map(({ name }) => {
    return [name, { name: `${name}.read`, order: 'any-order' }];
  }),
);

/** The units that stand for what stores read, in a fixed order. */
export const READING_UNITS: readonly Unit[] = [...READING.values()];

/** Units that copy, for which hardware keeps the memory of a CTA until they are done (H7, H18). */
const OUTLIVING: ReadonlySet<string> = new Set([
  ...[UNITS.tma, UNITS.bulk, UNITS.cpAsync].map(({ name }) => name),
  ...READING_UNITS.map(({ name }) => name),
]);

/** X02: whether the work of a unit may go on when its CTA has ended. */
export function mayOutlive({ name }: Unit): boolean {
  return OUTLIVING.has(name);
}

/** Whether a unit stores: its groups are waited for in two ways. */
export function hasStores({ name }: Unit): boolean {
  return READING.has(name);
}

/** The unit that stands for what the stores of a unit read. */
export function readingOf({ name }: Unit): Unit {
  return READING.get(name)!;
}
