// What lanes store that is computed from the place of their block.
import type { Origin } from '../values/origin.ts';

/** Notes which values a run takes as equal. */
export interface EqualityNotes {
  /** A predicate that holds in the block that was executed: that values are equal. */
  readonly equal: (at: number, origin: Origin) => void;
}

/** What a lane stores, computed from the place of its block. */
export interface StoredValue {
  readonly origin: Origin;
  readonly lane: number;
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
  readonly at: number;
  /** What the run rests on. */
  readonly decisions: EqualityNotes;
}
