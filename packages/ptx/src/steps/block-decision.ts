// Values of a run that are computed from where its blocks lie, and that decide what warps do.
import type { Origin } from '../values/origin.ts';

/** What of a value decides: all of it, whether it is zero, or where it lies. */
export type Deciding = 'value' | 'truth' | 'window' | 'map';

/** A value that decides what a warp does. */
export interface BlockDecision {
  readonly origin: Origin;
  readonly at: number;
  readonly what: Deciding;
  /** The lanes in which it decides. */
  readonly mask: number;
  /** Its halves in each of these lanes, in order. */
  readonly values: Uint32Array;
  /** The lanes in which it is known. */
  readonly known: number;
}

/** The decisions of one run. */
export interface NotedDecisions {
  readonly list: readonly BlockDecision[];
  /** Whether there were too many to keep. */
  readonly isFull: boolean;
}
