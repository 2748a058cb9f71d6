// A schedule as data: what every step does, and the barriers and slots that it leaves changed.
import type { PtxLine } from '../base/index.ts';

/** A barrier after a step that changed it. */
export interface BarrierState {
  /** The barrier's name. */
  readonly name: string;
  /** The number of completed phases. A wait tests its parity alone. */
  readonly phase: number;
  /** The parity of `phase`. */
  readonly parity: 0 | 1;
  /** Arrivals that the current phase still misses. */
  readonly pending: number;
  /** Arrivals that complete a phase. */
  readonly expected: number;
  /**
   * Bytes that the current phase still misses; negative where more have arrived than are expected.
   */
  readonly txBytes: number;
}

/** A stage of a ring, or a buffer, after a step that changed who may access it. */
export interface SlotState {
  /** The name of the stage or buffer. */
  readonly name: string;
  /** Roles that have acquired it and not released it. */
  readonly owners: readonly string[];
  /** For a stage: whether its full or its empty barrier completed a phase last. */
  readonly data?: 'full' | 'empty';
  /** Asynchronous work in flight on it: `copy of load`. */
  readonly flights: readonly string[];
}

/** Asynchronous work that a step issues. */
export interface IssuedWork {
  /** The unit that performs it. */
  readonly unit: string;
  /** The step, from 1, that completes it; absent where it is still open after the last step. */
  readonly until?: number;
}

/** One step of a schedule. */
export interface TraceStep {
  /** The role or unit that executes it. */
  readonly agent: string;
  /** Whether the agent is a role or an asynchronous unit. */
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
  /** The asynchronous work that it issues. */
  readonly issues?: readonly IssuedWork[];
  /** Barriers that it changed. */
  readonly barriers: readonly BarrierState[];
  /** Stages and buffers that it changed. */
  readonly slots: readonly SlotState[];
  /** The file of the operation's source line. */
  readonly file?: string;
  /** The line, from 1. */
  readonly line?: number;
  /** The column, from 1. */
  readonly column?: number;
  /** Of a kernel as built: the line of its PTX, where that is another file. */
  readonly ptx?: PtxLine;
}

/**
 * How far an agent is: a role `waits` for another one, `starves` where no agent can move any more,
 * `continues` with its next operation, has `ended`, has not been started (`absent`), or `fails`
 * with the last step. Work of a unit is `open`.
 */
export type StandingState =
  | 'waits'
  | 'starves'
  | 'continues'
  | 'ended'
  | 'absent'
  | 'fails'
  | 'open';

/** What a role or unit does after the last step of a schedule. */
export interface Standing {
  /** The role or unit. */
  readonly agent: string;
  /** Whether the agent is a role or an asynchronous unit. */
  readonly kind: 'role' | 'unit';
  /** How far it is. */
  readonly state: StandingState;
  /** The roles that still owe what it waits for, where they are known. */
  readonly owedBy?: readonly string[];
  /** The barriers that it waits for, or that its next operation or its open work is about. */
  readonly barriers?: readonly string[];
  /** `waits for ab.empty[0] phase 0: mma still owes an arrival`. */
  readonly text: string;
}
