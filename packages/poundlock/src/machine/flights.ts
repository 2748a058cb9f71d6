// Flights: asynchronous work under way, kept at the end of the state in canonical order (U01-U05).
import { BoundError, invariant } from '../base/index.ts';

/** What a flight does when it lands. A `group` never lands: it marks where a commit closed one. */
export const FlightKind = { copy: 0, use: 1, signal: 2, group: 3 } as const;
export type FlightKind = (typeof FlightKind)[keyof typeof FlightKind];

export interface Flight {
  readonly kind: FlightKind;
  readonly role: number;
  readonly cta: number;
  readonly unit: number;
  readonly inOrder: boolean;
  /** Physical ids, −1 where unused. */
  readonly barrier: number;
  readonly bytes: number;
  readonly cell: number;
  readonly value: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Flights of one role on one unit form a queue. */
export const MAX_UNITS = 64;
export function queueOf(flight: Flight): number {
  return flight.role * MAX_UNITS + flight.unit;
}

/** Whether a flight is work that later signals and groups of its queue wait for. */
export function isWork(flight: Flight): boolean {
  return flight.kind === FlightKind.copy || flight.kind === FlightKind.use;
}

/** The most different flights of a program: their numbers have 16 bits in a packed state. */
export const MAX_FLIGHT_KINDS = 65_535;

/** Interns flights, so that the state keeps one integer for each open one. */
export class FlightTable {
  readonly flights: Flight[] = [];
  readonly #keys: string[] = [];
  readonly #ids = new Map<string, number>();

  intern(flight: Flight): number {
    invariant(flight.unit < MAX_UNITS, `a program has at most ${MAX_UNITS} units`);
    const key = JSON.stringify(flight);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.flights.length >= MAX_FLIGHT_KINDS) {
      throw new BoundError('flight-kinds', MAX_FLIGHT_KINDS, 'a program has too many flights');
    }
    this.#ids.set(key, this.flights.length);
    this.#keys.push(key);
    return this.flights.push(flight) - 1;
  }

  /**
   * Orders flights by what they are, never by their numbers: those depend on which was seen first,
   * and a replay token counts on the order.
   */
  compare(id: number, other: number): number {
    if (id === other) return 0;
    const [a, b] = [this.flights[id]!, this.flights[other]!];
    if (a.barrier !== b.barrier) return a.barrier - b.barrier;
    return this.#keys[id]! < this.#keys[other]! ? -1 : 1;
  }
}

/** The most flights that can be open at one time (option `max-flights`). */
export const MAX_FLIGHTS = 4096;

/**
 * Adds a flight. The list is sorted by queue; inside a queue it keeps the order of issue, except
 * that work of an any-order unit is sorted between two marks, so that equal sets are equal states.
 */
export function launch(table: FlightTable, words: Int32Array, at: number, id: number): void {
  const flight = table.flights[id]!;
  const queue = queueOf(flight);
  const count = words[at]!;
  if (at + 1 + count >= words.length) {
    throw new BoundError('max-flights', MAX_FLIGHTS, 'too many asynchronous operations are open');
  }
  const first = at + 1;
  let slot = first + count;
  let workBefore = false;
  for (let i = first; i < first + count; i++) {
    const other = table.flights[words[i]!]!;
    if (queueOf(other) === queue && isWork(other)) workBefore = true;
    if (queueOf(other) > queue) {
      slot = i;
      break;
    }
  }
  // U04: a group with no open work before it is closed and complete at once.
  if (flight.kind === FlightKind.group && !workBefore) return;
  if (isWork(flight) && !flight.inOrder) {
    while (slot > first) {
      const other = table.flights[words[slot - 1]!]!;
      if (queueOf(other) !== queue || !isWork(other)) break;
      if (table.compare(words[slot - 1]!, id) <= 0) break;
      slot--;
    }
  }
  words.copyWithin(slot + 1, slot, first + count);
  words[slot] = id;
  words[at] = count + 1;
}

/** U02, U03: whether the flight at list position `index` can land next. */
export function canLand(table: FlightTable, words: Int32Array, at: number, index: number): boolean {
  const flight = table.flights[words[at + 1 + index]!]!;
  if (flight.kind === FlightKind.group) return false;
  if (isWork(flight) && !flight.inOrder) return true;
  const queue = queueOf(flight);
  for (let i = index - 1; i >= 0; i--) {
    const other = table.flights[words[at + 1 + i]!]!;
    if (queueOf(other) !== queue) return true;
    if (isWork(other)) return false;
  }
  return true;
}

/** Takes the flight at `index` out, and with it the groups that are complete now (U04). */
export function removeFlight(
  table: FlightTable,
  words: Int32Array,
  at: number,
  index: number,
): void {
  const queue = queueOf(table.flights[words[at + 1 + index]!]!);
  const count = words[at]!;
  let kept = 0;
  let workBefore = false;
  for (let i = 0; i < count; i++) {
    const id = words[at + 1 + i]!;
    const flight = table.flights[id]!;
    const same = queueOf(flight) === queue;
    if (i === index) continue;
    if (same && flight.kind === FlightKind.group && !workBefore) continue;
    if (same && isWork(flight)) workBefore = true;
    words[at + 1 + kept] = id;
    kept++;
  }
  words.fill(0, at + 1 + kept, at + 1 + count);
  words[at] = kept;
}

/** How many groups of `role` on `unit` are still open. */
export function openGroups(
  table: FlightTable,
  words: Int32Array,
  at: number,
  role: number,
  unit: number,
): number {
  let open = 0;
  for (let i = words[at]!; i > 0; i--) {
    const flight = table.flights[words[at + i]!]!;
    if (flight.kind === FlightKind.group && flight.role === role && flight.unit === unit) open++;
  }
  return open;
}
