// The result of a simulation as plain data: where the time went, and the timeline of the run.
import type { Position } from '../base/index.ts';

/** Waiting for data, for space, or for an asynchronous unit. */
export type StallCause = 'full' | 'empty' | 'unit';

/** How long a role worked, and how long it stalled for each cause. */
export interface RoleTime {
  readonly name: string;
  readonly busyCycles: number;
  readonly stallCycles: Readonly<Record<StallCause, number>>;
}

export interface RingUse {
  readonly name: string;
  readonly stages: number;
  /** Stages that are filled and not yet released, averaged over the run. */
  readonly meanOccupancy: number;
}

/** A line of the program at which a role stalled. */
export interface StalledLine extends Partial<Position> {
  readonly role: string;
  readonly cause: StallCause;
  readonly times: number;
  readonly cycles: number;
}

/** The share of the critical path that one role or unit has. */
export interface PathShare {
  /** A role's own time, the last poll of a wait, or an asynchronous operation. */
  readonly what: 'role' | 'wake' | 'flight';
  readonly name: string;
  readonly cycles: number;
}

/** One operation of a role on the timeline. */
export interface TimelineSpan {
  readonly role: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Cycles of it that the role stalled, and why. */
  readonly stall: number;
  readonly cause: StallCause | null;
  /** The signal that ended a wait, as an index of {@link Timeline.signals}; −1 for none. */
  readonly signal: number;
}

/** An asynchronous operation, from its issue to its completion. */
export interface TimelineFlight {
  readonly unit: string;
  readonly name: string;
  readonly role: number;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/** A phase that completed, by a role's operation or by an asynchronous operation. */
export interface TimelineSignal {
  readonly barrier: number;
  readonly time: number;
  readonly role: number;
  readonly flight: number;
}

/** A run, span by span. */
export interface Timeline {
  readonly spans: readonly TimelineSpan[];
  readonly flights: readonly TimelineFlight[];
  readonly signals: readonly TimelineSignal[];
  /** Whether a bound was hit, so that the end of the run is missing. */
  readonly isTruncated: boolean;
}

/** The machine model that a simulation used. */
export interface ModelSummary {
  readonly name: string;
  readonly title: string;
  /** Why its numbers are not measurements; `null` where they are. */
  readonly caveat: string | null;
  /** 0 where a cycle has no duration. */
  readonly clockMegahertz: number;
}
