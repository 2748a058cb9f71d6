// Records the spans of a run, up to a bound, for timelines, traces and the critical path.
import type {
  TimelineFlight,
  TimelinePiece,
  TimelineSignal,
  Timeline,
  TimelineSpan,
} from '@poundlock/core/internal/finding';
import { FlightKind, type Flight } from '@poundlock/core/internal/machine';
import { CATALOGUE, OpKind, type Unit } from '@poundlock/core/internal/op';
import type { Program, StepId } from '@poundlock/core/internal/program';
import type { Observer, Performed } from './observer.ts';
import { LastArrivals } from './last-arrivals.ts';
import { StallCauses } from './stalls.ts';

/** The most spans that are recorded (option `max-spans`); later ones are dropped. */
export const DEFAULT_MAX_SPANS = 200_000;

/** One operation of a role, with its step in the program. */
export interface Span extends TimelineSpan {
  readonly step: StepId;
}

/** Records a run. */
export class Recording implements Observer, Timeline {
  readonly spans: Span[] = [];
  readonly flights: TimelineFlight[] = [];
  readonly signals: TimelineSignal[] = [];
  /** Known when the run is over. */
  path: readonly TimelinePiece[] = [];
  /** Whether the bound was reached, so that the rest of the run is not recorded. */
  isTruncated = false;
  readonly #causes: StallCauses;
  readonly #units: readonly Unit[];
  readonly #maxSpans: number;
  /** By barrier: the signal of its last phase. By open flight: its spans, oldest first. */
  readonly #lastSignal = new Map<number, number>();
  readonly #open = new Map<Flight, number[]>();
  #lastCompleted = -1;
  readonly #arrivals = new LastArrivals();

  constructor(program: Program, units: readonly Unit[], maxSpans = DEFAULT_MAX_SPANS) {
    this.#causes = new StallCauses(program);
    this.#units = units;
    this.#maxSpans = maxSpans;
  }

  started(): void {}
  ended(): void {}

  performed(operation: Readonly<Performed>): void {
    if (this.#isFull()) return;
    const { role, step, instruction, reached: start, end, stall, barrier } = operation;
    const name = CATALOGUE[instruction.kind]!.name;
    const cause = stall > 0 ? this.#causes.causeOf(operation) : null;
    const signal = barrier >= 0 ? (this.#lastSignal.get(barrier) ?? -1) : this.#signalOf(operation);
    this.spans.push({ role, step, name, start, end, stall, cause, signal });
  }

  computed(role: number, step: StepId, start: number, end: number): void {
    if (this.#isFull()) return;
    const none = { stall: 0, cause: null, signal: -1 };
    this.spans.push({ role, step, name: 'compute', start, end, ...none });
  }

  flightIssued(flight: Flight, start: number, end: number): void {
    if (this.#isFull()) return;
    const { role, bytes } = flight;
    const name = NAMES[flight.kind];
    const unit = this.#units[flight.unit]!.name;
    const index = this.flights.push({ unit, name, role, start, end, bytes }) - 1;
    const open = this.#open.get(flight);
    if (open === undefined) this.#open.set(flight, [index]);
    else open.push(index);
  }

  flightCompleted(flight: Flight, time: number): void {
    if (this.isTruncated) return;
    const open = this.#open.get(flight);
    const at = open?.findIndex((index) => this.flights[index]!.end === time) ?? -1;
    this.#lastCompleted = at < 0 ? -1 : open!.splice(at, 1)[0]!;
  }

  phaseCompleted(barrier: number, time: number, role: number): void {
    if (this.#isFull()) return;
    const flight = role < 0 ? this.#lastCompleted : -1;
    this.#lastSignal.set(barrier, this.signals.push({ barrier, time, role, flight }) - 1);
  }

  /** The signal that ended a wait for a unit, or for other roles; −1 for none. */
  #signalOf({ instruction, role, time, stall }: Readonly<Performed>): number {
    const last = this.#arrivals.endOf(instruction, { role, time }, stall);
    if (last !== undefined) return this.signals.push({ barrier: -1, ...last, flight: -1 }) - 1;
    const isUnit = instruction.kind === OpKind.waitGroup && stall > 0;
    return isUnit ? this.#signalOfCompletion(time) : -1;
  }

  /** The signal of the flight whose completion ended a wait for a unit. */
  #signalOfCompletion(time: number): number {
    const flight = this.#lastCompleted;
    const completed = this.flights[flight];
    if (completed === undefined || completed.end > time) return -1;
    return this.signals.push({ barrier: -1, time: completed.end, role: -1, flight }) - 1;
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
