// The result of a simulation as plain data: where the time went, and the timeline of the run.
import type { Position } from '../base/index.ts';

/** What a stalled role waits for: data (`full`), space (`empty`), or an asynchronous unit. */
export type StallCause = 'full' | 'empty' | 'unit';

/** How long a role worked, and how long it stalled for each cause. */
export interface RoleTime {
  /** The role. */
  readonly name: string;
  /** Cycles in which it did not stall. */
  readonly busyCycles: number;
  /** Cycles in which it stalled, by cause. */
  readonly stallCycles: Readonly<Record<StallCause, number>>;
}

/** How full a ring was. */
export interface RingUse {
  /** The ring. */
  readonly name: string;
  /** Its number of stages. */
  readonly stages: number;
  /** Stages that are filled and not yet released, averaged over the run. */
  readonly meanOccupancy: number;
}

/** A line of the program at which a role stalled. */
export interface StalledLine extends Partial<Position> {
  /** The role. */
  readonly role: string;
  /** What the role waited for. */
  readonly cause: StallCause;
  /** How many times it stalled there. */
  readonly times: number;
  /** Cycles of all these stalls. */
  readonly cycles: number;
}

/** The share of the critical path that one role or unit has. */
export interface PathShare {
  /** A role's own time, the last poll of a wait, or an asynchronous operation. */
  readonly what: 'role' | 'wake' | 'flight';
  /** The role or unit. */
  readonly name: string;
  /** Its cycles on the critical path. */
  readonly cycles: number;
}

/** One operation of a role on the timeline. */
export interface TimelineSpan {
  /** The index of the role. */
  readonly role: number;
  /** The operation. */
  readonly name: string;
  /** The cycle in which it starts. */
  readonly start: number;
  /** The cycle in which it ends. */
  readonly end: number;
  /** Cycles of it that the role stalled. */
  readonly stall: number;
  /** Why the role stalled; `null` if it did not. */
  readonly cause: StallCause | null;
  /** The signal that ended a wait, as an index of {@link Timeline.signals}; −1 for none. */
  readonly signal: number;
}

/** An asynchronous operation, from its issue to its completion. */
export interface TimelineFlight {
  /** The asynchronous unit. */
  readonly unit: string;
  /** The operation. */
  readonly name: string;
  /** The index of the role that issued it. */
  readonly role: number;
  /** The cycle of its issue. */
  readonly start: number;
  /** The cycle in which it completes. */
  readonly end: number;
  /** Bytes that it copies. */
  readonly bytes: number;
}

/** A phase that completed, by a role's operation or by an asynchronous operation. */
export interface TimelineSignal {
  /** The index of the barrier; −1 for work that a role waited for without a barrier. */
  readonly barrier: number;
  /** The cycle in which it completed. */
  readonly time: number;
  /** The index of the role whose operation completed it; −1 for an asynchronous one. */
  readonly role: number;
  /**
   * The asynchronous operation that completed it, as an index of {@link Timeline.flights}; −1 for
   * none.
   */
  readonly flight: number;
}

/** A piece of the critical path: what the end of the run waited for at that time. */
export interface TimelinePiece {
  /** A role's own time, the last poll of a wait, or an asynchronous operation. */
  readonly what: PathShare['what'];
  /** The index of the role; of the one that issued the operation, if it is one. */
  readonly role: number;
  /** The operation as an index of {@link Timeline.flights}; −1 for none. */
  readonly flight: number;
  /** The cycle in which it starts. */
  readonly start: number;
  /** The cycle in which it ends. */
  readonly end: number;
}

/** A simulated run, operation by operation. */
export interface Timeline {
  /** Operations of roles, in the order in which they ended. */
  readonly spans: readonly TimelineSpan[];
  /** Asynchronous operations, in the order of issue. */
  readonly flights: readonly TimelineFlight[];
  /** Phases that completed. */
  readonly signals: readonly TimelineSignal[];
  /** The critical path, the end of the run first; empty where it is not known. */
  readonly path: readonly TimelinePiece[];
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

/** How a launch fills a GPU. */
export interface Occupancy {
  /** Shared memory of a CTA, in bytes. */
  readonly sharedBytes: number;
  /** Threads of a CTA. */
  readonly threads: number;
  /** CTAs of the launch. */
  readonly ctas: number;
  /** How many CTAs an SM can hold. */
  readonly fitting: number;
  /** What limits them: shared memory, registers, threads or the CTAs of an SM. */
  readonly limitedBy: string;
  /** How many it holds. */
  readonly ctasPerSm: number;
  /** How many times the SMs are filled. */
  readonly waves: number;
  /** CTAs of the last time, if there are several. */
  readonly tailCtas: number;
}

/** A roof over a run: the most that a resource gives, and what the run took of it. */
export interface Roof {
  /** The resource. */
  readonly name: string;
  /** What the run achieved, in `unit`. */
  readonly achieved: number;
  /** The most that is possible, in `unit`. */
  readonly peak: number;
  /** The unit of both, such as `GB/s`. */
  readonly unit: string;
}

/** A run on the roofline of its GPU: work of the tensor cores by bytes of memory. */
export interface Roofline {
  /** Operations for each byte. */
  readonly intensity: number;
  /** What was achieved, in 10^12 operations a second. */
  readonly teraflops: number;
  /** The roof of the tensor cores, in 10^12 operations a second. */
  readonly peakTeraflops: number;
  /** The roof of memory, in 10^9 bytes a second. */
  readonly peakGigabytesPerSecond: number;
  /** What binds: at so many operations for each byte, memory or the tensor core. */
  readonly roof: 'memory' | 'tensor core';
}

/** What a run made of a GPU. */
export interface DeviceUse {
  /** The duration of the run; 0 where cycles have none. */
  readonly microseconds: number;
  /**
   * Whose time it is: of the roles, with their waits; or of the warps of an SM that issue side by
   * side, in kernels that wait for no asynchronous unit. Then roles are those of one block alone.
   */
  readonly timed: 'roles' | 'warps';
  /** Cycles of the first wave: what roles, lines and the critical path are about. */
  readonly waveCycles: number;
  /** How the launch fills the GPU. */
  readonly occupancy: Occupancy;
  /** The resources that the run used, the one that is nearest to its roof first. */
  readonly roofs: readonly Roof[];
  /** `null` where no tensor core works, or nothing is loaded. */
  readonly roofline: Roofline | null;
  /** How far the prediction can be trusted, as sentences. */
  readonly accuracy: readonly string[];
}
