// The different flights of a program, interned: a state keeps one integer for each open one (U01).
import { BoundError, invariant } from '../base/index.ts';
import type { Unit } from '../op/index.ts';

/**
 * What a flight does when it completes. A `group` never completes: it marks where a commit closed
 * one.
 */
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
  /** Whether it is a copy, for which hardware keeps the memory of its own CTA (H7, H18). */
  readonly mayOutlive: boolean;
  /** How it reaches memory: see {@link Unit}. */
  readonly proxy: NonNullable<Unit['proxy']>;
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
/** Whether a copy or bulk work reads or writes memory of its own CTA (L03). */
export const READS_OWN_CTA = 8;
export const WRITES_OWN_CTA = 16;
export const USES_OWN_CTA = READS_OWN_CTA | WRITES_OWN_CTA;

/**
 * L03: its buffers, its cell, and the barrier that counts its bytes. Work of an in-order unit, the
 * tensor core, is over when its result is used, and is not held against a CTA that ends.
 */
function usesOfOwnCta(flight: Flight, ctas: number, globals: ReadonlySet<number>): number {
  if (flight.inOrder && !flight.mayOutlive) return 0;
  const own = partOf(flight, (id) => id % ctas === flight.cta, globals, ctas);
  const isSignal = flight.kind === FlightKind.copy && own.barrier >= 0;
  const writes = isSignal || own.cell >= 0 || own.writes.length > 0;
  return (own.reads.length > 0 ? READS_OWN_CTA : 0) | (writes ? WRITES_OWN_CTA : 0);
}

/** A flight with what it does in some CTAs alone; memory that all CTAs have is in none of them. */
function partOf(
  flight: Flight,
  isInside: (id: number) => boolean,
  globals: ReadonlySet<number>,
  ctas: number,
): Flight {
  const isMemory = (id: number): boolean => isInside(id) && !globals.has(Math.floor(id / ctas));
  return {
    ...flight,
    reads: flight.reads.filter(isMemory),
    writes: flight.writes.filter(isMemory),
    barrier: flight.barrier >= 0 && isInside(flight.barrier) ? flight.barrier : -1,
    cell: flight.cell >= 0 && isInside(flight.cell) ? flight.cell : -1,
  };
}

/** Whether a flight is work that later signals and groups of its queue wait for. */
export function isWork(flight: Flight): boolean {
  return flight.kind === FlightKind.copy || flight.kind === FlightKind.use;
}

/** The most different flights of a program: their numbers have 16 bits in a packed state. */
const MAX_FLIGHT_KINDS = 65_535;

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
  readonly #ctas: number;
  readonly #globals: ReadonlySet<number>;

  constructor(ctas: number, globals: readonly number[] = []) {
    this.#ctas = ctas;
    this.#globals = new Set(globals);
  }

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
        (flight.kind === FlightKind.group ? IS_GROUP : 0) |
        usesOfOwnCta(flight, this.#ctas, this.#globals),
    );
    this.bytesTo.push(flight.kind === FlightKind.copy ? flight.barrier : -1);
    return this.flights.push(flight) - 1;
  }

  /** What a flight does outside of its own CTA, whose memory is gone. */
  outside({ ...flight }: Flight): Flight {
    return partOf(flight, (id) => id % this.#ctas !== flight.cta, this.#globals, this.#ctas);
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
