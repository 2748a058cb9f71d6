// A schedule as data: what every step does, and the barriers and slots that it leaves changed.

/** A barrier after a step that reached it. */
export interface BarrierState {
  readonly name: string;
  /** The open phase: as many have completed. A wait tests its parity alone. */
  readonly phase: number;
  readonly parity: 0 | 1;
  /** Arrivals that the open phase still misses, and all that it takes. */
  readonly pending: number;
  readonly expected: number;
  /** Bytes that the open phase still misses; below 0 where more have come than are expected. */
  readonly txBytes: number;
}

/** A stage of a ring, or a buffer, after a step that changed its owners. */
export interface SlotState {
  readonly name: string;
  /** The roles that have acquired it and not released it. */
  readonly owners: readonly string[];
  /** For a stage: whether its last full phase is the newer one, or its last empty phase. */
  readonly data?: 'full' | 'empty';
  /** Asynchronous work under way on it: `copy of load`. */
  readonly flights: readonly string[];
}

/** One step of the schedule that shows the finding. */
export interface TraceStep {
  /** The role or unit that moves. */
  readonly agent: string;
  readonly kind: 'role' | 'unit';
  /** What it does, in one word: `wait`, `arrive`, `copy`, `land`. */
  readonly verb: string;
  /** What it does, in words: `arrive ab.full[0], expects 32,768 B`. */
  readonly text: string;
  /** What that changed: `ab.full[0] phase 0 completes`. */
  readonly effects: readonly string[];
  /** For a wait: the step, from 1, whose completion let it pass. */
  readonly from?: number;
  /** What it waited for: `ab.full[0] phase 0`. */
  readonly waited?: string;
  readonly barriers: readonly BarrierState[];
  readonly slots: readonly SlotState[];
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A role or unit after the last step, in words. */
export interface Standing {
  readonly agent: string;
  readonly kind: 'role' | 'unit';
  /** `waits for ab.empty[0] phase 0: mma still owes an arrival`. */
  readonly text: string;
}
