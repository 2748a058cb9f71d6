// What the warps of a run did with words of global memory, in the order of the run.

import type { Atomic } from '../warp/access-form.ts';
/** A load that went on with one of the values that it may find. */
export interface LoggedPoll {
  readonly kind: 'poll';
  readonly warp: number;
  readonly address: number;
  readonly key: string;
  readonly value: number;
  /** Whether the warp goes on with a value, for all that were tried. */
  readonly passes: ReadonlyMap<number, boolean>;
}

/** A store, or an atomic access. */
export interface LoggedChange {
  readonly kind: 'change';
  readonly warp: number;
  readonly address: number;
  /** How many bytes it changes. */
  readonly bytes: number;
  /** The atomic operation; empty of a store. */
  readonly atomic: Atomic | '';
  /** What it is given; `null` where that is not known, or is not the whole word. */
  readonly operands: readonly number[] | null;
  /** What the warp goes on with, if it uses what the word held; else `null`. */
  readonly answer: number | null;
}

/** One of these. */
export type LoggedOperation = LoggedPoll | LoggedChange;
