// What asynchronous work is called in a message: by its operation where its unit has only one.
import { FlightKind, type Flight } from '../../machine/index.ts';
import { UNITS } from '../../op/index.ts';
import { READING_UNITS } from '../../program/index.ts';
import type { System } from '../system.ts';
import type { Names } from '../names.ts';

/** What the only operation of a unit is called. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  [UNITS.mma.name, 'MMA'],
  ...[UNITS.wgmma, UNITS.tcgen05Ld, UNITS.tcgen05St, UNITS.cpAsync].map(
    ({ name }) => [name, name] as const,
  ),
]);
const READS_OF_STORES: ReadonlySet<string> = new Set(READING_UNITS.map(({ name }) => name));
const COPIES: ReadonlySet<string> = new Set([UNITS.tma, UNITS.bulk].map(({ name }) => name));

/** `copy`, `commit`, `store`, `MMA`, `wgmma`, `tcgen05.ld`; `clc work` of other units. */
export function workWord(system: System, names: Names, flight: Flight): string {
  const unit = names.agent(system.roles + flight.unit);
  if (flight.kind === FlightKind.signal) return 'commit';
  const operation = OPERATIONS.get(unit);
  if (operation !== undefined) return operation;
  if (READS_OF_STORES.has(unit)) return 'store';
  if (flight.kind === FlightKind.copy) return 'copy';
  if (!COPIES.has(unit)) return `${unit} work`;
  return flight.reads.length > 0 && flight.writes.length === 0 ? 'store' : 'copy';
}
