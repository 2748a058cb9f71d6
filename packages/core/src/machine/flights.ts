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
  /** What the cell receives. */
  readonly value: number;
  /** How long the unit works on it; 0: as long as its model says. */
  readonly cycles: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Flights of one role on one unit form a queue. */
export const MAX_UNITS = 64;
export function queueOf(flight: Flight): number {
  return flight.role * MAX_UNITS + flight.unit;
}

/** What the order of flights depends on, as bits of {@link FlightTable.traits}. */
export const IN_ORDER = 1;
export const IS_WORK = 2;
export const IS_GROUP = 4;

/** Whether a flight is work that later signals and groups of its queue wait for. */
export function isWork(flight: Flight): boolean {
  return flight.kind === FlightKind.copy || flight.kind === FlightKind.use;
}

/** The most different flights of a program: their numbers have 16 bits in a packed state. */
export const MAX_FLIGHT_KINDS = 65_535;

/** Interns flights, so that the state keeps one integer for each open one. */
export class FlightTable {
  readonly flights: Flight[] = [];
  /** By flight: its queue, and its traits. */
  readonly queues: number[] = [];
  readonly traits: number[] = [];
  /** By flight: the barrier that its bytes go to, −1 if it is no copy. */
  readonly bytesTo: number[] = [];
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
    this.queues.push(queueOf(flight));
    this.traits.push(
      (flight.inOrder ? IN_ORDER : 0) |
        (isWork(flight) ? IS_WORK : 0) |
        (flight.kind === FlightKind.group ? IS_GROUP : 0),
    );
    this.bytesTo.push(flight.kind === FlightKind.copy ? flight.barrier : -1);
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
  const { queues, traits } = table;
  const queue = queues[id]!;
  const trait = traits[id]!;
  const count = words[at]!;
  if (at + 1 + count >= words.length) {
    throw new BoundError('max-flights', MAX_FLIGHTS, 'too many asynchronous operations are open');
  }
  const first = at + 1;
  let slot = first + count;
  let workBefore = false;
  for (let i = first; i < first + count; i++) {
    const other = words[i]!;
    if (queues[other]! > queue) {
      slot = i;
      break;
    }
    if (queues[other] === queue && (traits[other]! & IS_WORK) !== 0) workBefore = true;
  }
  // U04: a group with no open work before it is closed and complete at once.
  if ((trait & IS_GROUP) !== 0 && !workBefore) return;
  if ((trait & (IS_WORK | IN_ORDER)) === IS_WORK) {
    while (slot > first) {
      const other = words[slot - 1]!;
      if (queues[other] !== queue || (traits[other]! & IS_WORK) === 0) break;
      if (table.compare(words[slot - 1]!, id) <= 0) break;
      slot--;
    }
  }
  for (let i = first + count; i > slot; i--) words[i] = words[i - 1]!;
  words[slot] = id;
  words[at] = count + 1;
}

/** U02, U03: whether the flight at list position `index` can land next. */
export function canLand(table: FlightTable, words: Int32Array, at: number, index: number): boolean {
  const { queues, traits } = table;
  const id = words[at + 1 + index]!;
  if ((traits[id]! & IS_GROUP) !== 0) return false;
  if ((traits[id]! & (IS_WORK | IN_ORDER)) === IS_WORK) return true;
  const queue = queues[id]!;
  for (let i = at + index; i > at; i--) {
    const other = words[i]!;
    if (queues[other] !== queue) return true;
    if ((traits[other]! & IS_WORK) !== 0) return false;
  }
  return true;
}

/**
 * Lists the positions of all flights that {@link canLand}, in one pass, into `out` from `first` on;
 * returns where they end.
 */
export function listLandable(
  table: FlightTable,
  words: Int32Array,
  at: number,
  out: Int32Array,
  first: number,
): number {
  const { queues, traits } = table;
  const open = words[at]!;
  let end = first;
  let queue = -1;
  let workBefore = 0;
  for (let index = 0; index < open; index++) {
    const id = words[at + 1 + index]!;
    const trait = traits[id]!;
    if (queues[id] !== queue) {
      queue = queues[id]!;
      workBefore = 0;
    }
    const isBehind = (trait & (IS_WORK | IN_ORDER)) === IS_WORK ? 0 : workBefore;
    if (((trait & IS_GROUP) | isBehind) === 0) out[end++] = index;
    workBefore |= trait & IS_WORK;
  }
  return end;
}

/** Takes the flight at `index` out, and with it the groups that are complete now (U04). */
export function removeFlight(
  table: FlightTable,
  words: Int32Array,
  at: number,
  index: number,
): void {
  const { queues, traits } = table;
  const queue = queues[words[at + 1 + index]!]!;
  const count = words[at]!;
  let kept = 0;
  let workBefore = false;
  for (let i = 0; i < count; i++) {
    const id = words[at + 1 + i]!;
    if (i === index) continue;
    if (queues[id] === queue) {
      if ((traits[id]! & IS_GROUP) !== 0 && !workBefore) continue;
      if ((traits[id]! & IS_WORK) !== 0) workBefore = true;
    }
    words[at + 1 + kept] = id;
    kept++;
  }
  for (let i = kept; i < count; i++) words[at + 1 + i] = 0;
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
