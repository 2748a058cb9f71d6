// What a run did, span by span, for timelines, traces and the critical path: up to a bound.
import { FlightKind, type Flight } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind } from '@poundlock/core/internal/op';
import type { Program, StepId } from '@poundlock/core/internal/program';
import type { Observer, Performed } from './observer.ts';
import { StallCauses, type StallCause } from './stalls.ts';

/** The most spans that are recorded (option `max-spans`); what comes after is left out. */
export const DEFAULT_MAX_SPANS = 200_000;

/** What a role did for a time. A wait knows who ended it. */
export interface TimelineSpan {
  readonly role: number;
  readonly step: StepId;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Cycles of it that the role stood still, and why. */
  readonly stall: number;
  readonly cause: StallCause | null;
  /** The signal that ended a wait, as an index of {@link Recording.signals}; −1 for none. */
  readonly signal: number;
}

/** Something asynchronous, from its issue to its landing. */
export interface TimelineFlight {
  readonly unit: string;
  readonly name: string;
  readonly role: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/** A phase that completed, by a role's operation or by a flight that landed. */
export interface TimelineSignal {
  readonly barrier: number;
  readonly time: number;
  readonly role: number;
  readonly flight: number;
}

/** What a simulated run did, span by span, up to the bound `maxSpans`. */
export interface Timeline {
  /** What roles did, in the order in which it ended. */
  readonly spans: readonly TimelineSpan[];
  /** Asynchronous work, in the order in which it was issued. */
  readonly flights: readonly TimelineFlight[];
  /** Phases of barriers that completed, and work that a role waited for. */
  readonly signals: readonly TimelineSignal[];
  /** Whether the bound was hit: the rest of the run is not recorded. */
  readonly isTruncated: boolean;
}

/** Records a run. */
export class Recording implements Observer, Timeline {
  readonly spans: TimelineSpan[] = [];
  readonly flights: TimelineFlight[] = [];
  readonly signals: TimelineSignal[] = [];
  /** Whether the bound was hit: the rest of the run is not recorded. */
  isTruncated = false;
  readonly #causes: StallCauses;
  readonly #units: readonly string[];
  readonly #maxSpans: number;
  /** By barrier: the signal of its last phase. By flight under way: its spans, oldest first. */
  readonly #lastSignal = new Map<number, number>();
  readonly #open = new Map<Flight, number[]>();
  #lastLanded = -1;

  constructor(program: Program, units: readonly string[], maxSpans = DEFAULT_MAX_SPANS) {
    this.#causes = new StallCauses(program);
    this.#units = units;
    this.#maxSpans = maxSpans;
  }

  started(): void {}
  ended(): void {}

  performed(operation: Readonly<Performed>): void {
    if (this.#isFull()) return;
    const { role, step, instruction, came: start, end, stall, barrier } = operation;
    const name = CATALOGUE[instruction.kind]!.name;
    const cause = stall > 0 ? this.#causes.causeOf(operation) : null;
    const isUnit = instruction.kind === OpKind.waitGroup;
    const landed = isUnit && stall > 0 ? this.#signalOfLanding(operation.time) : -1;
    const signal = barrier >= 0 ? (this.#lastSignal.get(barrier) ?? -1) : landed;
    this.spans.push({ role, step, name, start, end, stall, cause, signal });
  }

  computed(role: number, step: StepId, start: number, end: number): void {
    if (this.#isFull()) return;
    const none = { stall: 0, cause: null, signal: -1 };
    this.spans.push({ role, step, name: 'compute', start, end, ...none });
  }

  launched(flight: Flight, start: number, end: number): void {
    if (this.#isFull()) return;
    const { role, bytes } = flight;
    const name = NAMES[flight.kind];
    const unit = this.#units[flight.unit] ?? `unit ${flight.unit}`;
    const index = this.flights.push({ unit, name, role, start, end, bytes }) - 1;
    const open = this.#open.get(flight);
    if (open === undefined) this.#open.set(flight, [index]);
    else open.push(index);
  }

  landed(flight: Flight, time: number): void {
    const open = this.#open.get(flight);
    const at = open?.findIndex((index) => this.flights[index]!.end === time) ?? -1;
    this.#lastLanded = at < 0 ? -1 : open!.splice(at, 1)[0]!;
  }

  completed(barrier: number, time: number, role: number): void {
    if (this.#isFull()) return;
    const flight = role < 0 ? this.#lastLanded : -1;
    this.#lastSignal.set(barrier, this.signals.push({ barrier, time, role, flight }) - 1);
  }

  /** The landing that a wait for a unit ended with. */
  #signalOfLanding(time: number): number {
    const flight = this.#lastLanded;
    const landed = this.flights[flight];
    if (landed === undefined || landed.end > time) return -1;
    return this.signals.push({ barrier: -1, time: landed.end, role: -1, flight }) - 1;
  }

  #isFull(): boolean {
    this.isTruncated ||= this.spans.length >= this.#maxSpans;
    return this.isTruncated;
  }
}

const NAMES: Readonly<Record<Flight['kind'], string>> = {
  [FlightKind.copy]: 'copy',
  [FlightKind.use]: 'work',
  [FlightKind.signal]: 'signal',
  [FlightKind.group]: 'group',
};
