// Barrier semantics: a pure machine over a flat state, with the ghost state that parity hides.
export { Alias, aliasOf, arrive, MAX_PENDING, parityPasses, signal } from './barrier.ts';
export { Fault } from './fault.ts';
export {
  FlightKind,
  IN_ORDER,
  IS_GROUP,
  IS_WORK,
  isWork,
  READS_OWN_CTA,
  USES_OWN_CTA,
  WRITES_OWN_CTA,
} from './flight-table.ts';
export { MAX_UNITS, type Flight } from './flight-table.ts';
export { MAX_FLIGHTS, type OpenFlights } from './flights.ts';
export type { Instruction } from './instruction.ts';
export { BARRIER_WORDS, E, INVALID, K, NAMED_BARRIERS, P, T } from './layout.ts';
export { SYNC_CLUSTER, SYNC_NONE, SYNC_RELEASED, writeInitial, type Layout } from './layout.ts';
export type { Journal } from './journal.ts';
export { BLOCKED, Machine } from './machine.ts';
export {
  isGlobalBarrier,
  physical,
  BARRIER_MODES,
  type BarrierMode,
  type BarrierShape,
  type MachineShape,
  type PoolShape,
} from './shape.ts';
