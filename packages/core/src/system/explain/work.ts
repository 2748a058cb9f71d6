// What asynchronous work is called in a message: by its operation where its unit has only one.
import { FlightKind, type Flight } from '../../machine/index.ts';
import { UNITS } from '../../op/index.ts';
import { READING_UNITS } from '../../program/index.ts';
import type { System } from '../system.ts';
import type { Names } from '../names.ts';

/** Units whose name is that of their only operation. */
const OPERATIONS: ReadonlySet<string> = new Set(
  [UNITS.mma, UNITS.wgmma, UNITS.tcgen05Ld, UNITS.tcgen05St, UNITS.cpAsync].map(({ name }) => name),
);
const READS_OF_STORES: ReadonlySet<string> = new Set(READING_UNITS.map(({ name }) => name));
const COPIES: ReadonlySet<string> = new Set([UNITS.tma, UNITS.bulk].map(({ name }) => name));

/** `copy`, `commit`, `store`, `wgmma`, `tcgen05.ld`; `clc work` of other units. */
export function workWord(system: System, names: Names, flight: Flight): string {
  const unit = names.agent(system.roles + flight.unit);
  if (flight.kind === FlightKind.signal) return 'commit';
  if (OPERATIONS.has(unit)) return unit;
  if (READS_OF_STORES.has(unit)) return 'store';
  if (flight.kind === FlightKind.copy) return 'copy';
  if (!COPIES.has(unit)) return `${unit} work`;
  return flight.reads.length > 0 && flight.writes.length === 0 ? 'store' : 'copy';
}
