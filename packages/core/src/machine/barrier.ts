// The mbarrier state machine: arrivals and bytes complete phases (M01-M10).
import { Fault } from './fault.ts';
import { FlightKind, type Flight } from './flight-table.ts';
import * as layout from './layout.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { E, INVALID, K, P, T, UNINITIALIZED } = layout;
const { none: NONE, overArrival: OVER_ARRIVAL, txOutOfRange: TX_OUT_OF_RANGE } = Fault;
const { signal: SIGNAL } = FlightKind;

/**
 * The most arrivals that a phase can wait for, and the most bytes that it can miss or have received
 * too early: PTX limits both counts of an mbarrier (M14).
 */
export const MAX_PENDING = 2 ** 20 - 1;
const MAX = MAX_PENDING;

/** M06: a phase ends iff no arrival is pending **and** no byte is missing; then the next begins. */
export function settle(words: Int32Array, at: number): boolean {
  if (words[at + P] !== 0 || words[at + T] !== 0) return false;
  words[at + K]! += 1;
  words[at + P] = words[at + E]!;
  return true;
}

/** M01: a live barrier must not be initialized again; an invalidated one may be. */
export function init(words: Int32Array, at: number, count: number): void {
  words[at + E] = count;
  words[at + P] = count;
  words[at + T] = 0;
  words[at + K] = 0;
}

/**
 * M03: `count` arrivals of one operation, made by each of `lanes` threads one after the other;
 * `bytes` are expected with the first. Arrivals beyond the phase's pending ones belong to the next
 * phase when the phase ended between them, and are an over-arrival when it did not.
 */
export function arrive(
  words: Int32Array,
  at: number,
  count: number,
  lanes: number,
  bytes: number,
): Fault {
  if (bytes !== 0) {
    words[at + T]! += bytes;
    if (words[at + T]! > MAX) return TX_OUT_OF_RANGE;
  }
  if (lanes !== 1) return arriveEach(words, at, count, lanes);
  if (count > words[at + P]!) return OVER_ARRIVAL;
  words[at + P]! -= count;
  settle(words, at);
  return NONE;
}

function arriveEach(words: Int32Array, at: number, count: number, lanes: number): Fault {
  let left = lanes;
  while (left > 0) {
    if (count > words[at + P]!) return OVER_ARRIVAL;
    // Lanes that stay inside the phase are taken together; the last one may end it.
    const together = Math.min(left, Math.floor(words[at + P]! / count));
    words[at + P]! -= together * count;
    left -= together;
    if (!settle(words, at) && left > 0 && words[at + P] === 0) return OVER_ARRIVAL;
  }
  return NONE;
}

/** M04: `bytes` more (or, negative, fewer) are missing; T may go below zero. */
export function changeBytes(words: Int32Array, at: number, bytes: number): Fault {
  const missing = (words[at + T]! += bytes);
  if (missing > MAX || missing < -MAX) return TX_OUT_OF_RANGE;
  settle(words, at);
  return NONE;
}

/** U01, U03: a flight that completes arrives once on its barrier, or completes its bytes there. */
export function signal(words: Int32Array, at: number, { kind, bytes }: Flight): Fault {
  if (kind === SIGNAL) return arrive(words, at, 1, 1, 0);
  return changeBytes(words, at, -bytes);
}

/** M05: `count` threads leave for good: the expected and the pending arrivals both fall. */
export function arriveDrop(words: Int32Array, at: number, count: number): Fault {
  if (count > words[at + P]!) return OVER_ARRIVAL;
  words[at + E]! -= count;
  words[at + P]! -= count;
  settle(words, at);
  return NONE;
}

/** Why a barrier can not be reached at all: it was never initialized, or it is gone (M02). */
export function lifetimeFault(words: Int32Array, at: number): Fault {
  if (words[at + E] === INVALID) return Fault.missingDrain;
  if (words[at + E] === UNINITIALIZED) return Fault.uninitialisedBarrier;
  return NONE;
}

/** M07: a parity wait passes iff the parity of the current phase differs from the tested one. */
export function parityPasses(completed: number, phase: number): boolean {
  return ((completed ^ phase) & 1) !== 0;
}

/** How a wait for absolute phase `phase` relates to the true phase, which parity hides (M10). */
export const Alias = { none: 0, falsePass: 1, falseBlock: 2, latePass: 3 } as const;
export type Alias = (typeof Alias)[keyof typeof Alias];

/** Classifies a wait by how many phases have completed beyond the one it wants (M10). */
export function aliasOf(completed: number, phase: number): Alias {
  const ahead = completed - phase;
  if (ahead === 0 || ahead === 1) return Alias.none;
  if (ahead < 0) return (ahead & 1) === 0 ? Alias.none : Alias.falsePass;
  return (ahead & 1) === 0 ? Alias.falseBlock : Alias.latePass;
}
