// A barrier of the machine in shared memory: pending arrivals, missing bytes, phase (M01–M07).
//
// Beside `machine/barrier.ts` the only place that counts arrivals. `ring` has no dependency, and
// its words are changed by compare-and-exchange or under a lock; those of the machine have one
// writer. `test/ring/barrier.test.ts` compares both on measured and on random sequences.
import { advance, LOCK, PHASE, PHASE_SHIFT, POISON, SIMPLE, SLEEPER } from './futex-word.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const NEXT: number = PHASE;
const SHIFT: number = PHASE_SHIFT;
const SLEEPER_BIT: number = SLEEPER;
/** The bits that {@link arriveLast} tests, and the value that they must have. */
const FAST_PATH_MASK: number = SIMPLE | LOCK | POISON;
const FAST_PATH_BITS: number = SIMPLE;

/** Words of one barrier, on a cache line of its own. */
export const STATE = 0;
const PENDING = 1;
const MISSING = 2;
const EXPECTED = 3;
export const BARRIER_WORDS = 16;
/** The values of EXPECTED that mean no barrier: before `init`, and after `invalidate`. */
export const UNINITIALIZED = -2;
export const INVALID = -1;

/** The result of an operation on a barrier. */
export const BarrierResult = {
  done: 0,
  /** The ring is poisoned: the operation did nothing. */
  poisoned: 1,
  /** More arrivals than were pending (M12): the operation did nothing. */
  overArrival: 2,
  uninitialized: 3,
  invalid: 4,
  alreadyLive: 5,
} as const;
export type BarrierResult = (typeof BarrierResult)[keyof typeof BarrierResult];

/** M01, before any thread uses it: `expected` arrivals per phase, or 0 for a later `init`. */
export function initializeBarrier(words: Int32Array, at: number, expected: number): void {
  words[at + EXPECTED] = expected === 0 ? UNINITIALIZED : expected;
  words[at + PENDING] = expected;
  words[at + MISSING] = 0;
  words[at + STATE] = expected === 1 ? SIMPLE : 0;
}

/**
 * M03 for one arrival that completes the phase: then STATE is the whole barrier, and one
 * compare-and-exchange arrives, completes the phase and tests for sleepers. Returns `false` if the
 * fast path does not apply.
 */
function arriveLast(words: Int32Array, at: number): boolean {
  // A plain read is enough for a guess: the exchange verifies it.
  const seen = words[at]!;
  if ((seen & FAST_PATH_MASK) !== FAST_PATH_BITS) return false;
  const next = ((seen & ~SLEEPER_BIT) + NEXT) | 0;
  if (Atomics.compareExchange(words, at, seen, next) !== seen) return false;
  if ((seen & SLEEPER_BIT) !== 0) Atomics.notify(words, at);
  return true;
}

/**
 * M03: `count` arrivals by each of `lanes` threads in turn; the first expects `bytes`.
 */
export function arrive(
  words: Int32Array,
  at: number,
  count: number,
  lanes: number,
  bytes: number,
): BarrierResult {
  if (count === 1 && lanes === 1 && bytes === 0 && arriveLast(words, at)) {
    return BarrierResult.done;
  }
  if (!lock(words, at)) return BarrierResult.poisoned;
  const liveness = livenessOf(words, at);
  return unlock(
    words,
    at,
    liveness === BarrierResult.done ? addLanes(words, at, count, lanes, bytes) : liveness,
  );
}

/** M04: adds `bytes` to the pending bytes; a negative number completes bytes. */
export function addBytes(words: Int32Array, at: number, bytes: number): BarrierResult {
  if (!lock(words, at)) return BarrierResult.poisoned;
  const liveness = livenessOf(words, at);
  if (liveness === BarrierResult.done) {
    words[at + MISSING]! += bytes;
    completeIfDone(words, at);
  }
  return unlock(words, at, liveness);
}

/** M05: `count` threads leave the barrier permanently. */
export function arriveDrop(words: Int32Array, at: number, count: number): BarrierResult {
  if (!lock(words, at)) return BarrierResult.poisoned;
  const liveness = livenessOf(words, at);
  if (liveness !== BarrierResult.done) return unlock(words, at, liveness);
  if (count > words[at + PENDING]!) return unlock(words, at, BarrierResult.overArrival);
  words[at + EXPECTED]! -= count;
  words[at + PENDING]! -= count;
  completeIfDone(words, at);
  return unlock(words, at, BarrierResult.done);
}

/** M01: initializes a barrier that is not live. */
export function init(words: Int32Array, at: number, count: number): BarrierResult {
  if (!lock(words, at)) return BarrierResult.poisoned;
  if (words[at + EXPECTED]! >= 0) return unlock(words, at, BarrierResult.alreadyLive);
  words[at + EXPECTED] = count;
  words[at + PENDING] = count;
  words[at + MISSING] = 0;
  Atomics.and(words, at, (1 << PHASE_SHIFT) - 1);
  return unlock(words, at, BarrierResult.done);
}

/** M02: invalidates a barrier. */
export function invalidate(words: Int32Array, at: number): BarrierResult {
  if (!lock(words, at)) return BarrierResult.poisoned;
  const liveness = livenessOf(words, at);
  if (liveness === BarrierResult.done) words[at + EXPECTED] = INVALID;
  return unlock(words, at, liveness);
}

/** Why a barrier can not be used (M02); exact under its lock, else a snapshot. */
export function livenessOf(words: Int32Array, at: number): BarrierResult {
  const expected = words[at + EXPECTED]!;
  if (expected >= 0) return BarrierResult.done;
  return expected === INVALID ? BarrierResult.invalid : BarrierResult.uninitialized;
}

/** Phases completed so far, modulo 2^27. */
export function completed(words: Int32Array, at: number): number {
  return Atomics.load(words, at) >>> PHASE_SHIFT;
}

/** A snapshot of a barrier, for reports. */
export function inspect(words: Int32Array, at: number) {
  return {
    phase: completed(words, at),
    pending: words[at + PENDING]!,
    missing: words[at + MISSING]!,
    expected: words[at + EXPECTED]!,
  };
}

/** M07: whether a wait for `phase` passes given the STATE that was read. */
export function passes(seen: number, phase: number): boolean {
  return (((seen >>> SHIFT) ^ phase) & 1) !== 0;
}

/** Whether a word's count shows that `phase` has completed: by parity, or by count (M09). */
export function hasPassed(seen: number, phase: number, isCount: boolean): boolean {
  if (!isCount) return passes(seen, phase);
  // Counts wrap at 27 bits; compared phases are never far apart.
  return (((seen >>> PHASE_SHIFT) - phase) << PHASE_SHIFT) >> PHASE_SHIFT > 0;
}

/** Polls of a taken lock before the thread sleeps, so that the lock's holder gets a CPU. */
const LOCK_POLLS = 200;
const LOCK_SLEEP_MS = 0.05;

/** Takes the lock; `false` when the ring is poisoned, since the holder may have crashed. */
function lock(words: Int32Array, at: number): boolean {
  for (let polls = 1; ; polls++) {
    const seen = Atomics.load(words, at);
    if ((seen & POISON) !== 0) return false;
    if ((seen & LOCK) !== 0) {
      if (polls % LOCK_POLLS === 0) sleepBriefly(words, at, seen);
      continue;
    }
    if (Atomics.compareExchange(words, at, seen, seen | LOCK) === seen) return true;
  }
}

/** Sleeps briefly where that is allowed; a browser's main thread may not and keeps polling. */
function sleepBriefly(words: Int32Array, at: number, seen: number): void {
  try {
    Atomics.wait(words, at, seen, LOCK_SLEEP_MS);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Releases the lock and updates SIMPLE. */
function unlock<T extends BarrierResult>(words: Int32Array, at: number, result: T): T {
  const isSimple =
    words[at + EXPECTED] === 1 && words[at + PENDING] === 1 && words[at + MISSING] === 0;
  for (;;) {
    const seen = Atomics.load(words, at);
    const next = (seen & ~(LOCK | SIMPLE)) | (isSimple ? SIMPLE : 0);
    if (Atomics.compareExchange(words, at, seen, next) === seen) return result;
  }
}

/** M06, under the lock: a phase completes iff no arrival and no byte is pending. */
function completeIfDone(words: Int32Array, at: number): boolean {
  if (words[at + PENDING] !== 0 || words[at + MISSING] !== 0) return false;
  words[at + PENDING] = words[at + EXPECTED]!;
  advance(words, at);
  return true;
}

/** M03, under the lock. Lanes that arrive in the same phase are added together. */
function addLanes(
  words: Int32Array,
  at: number,
  count: number,
  lanes: number,
  bytes: number,
): BarrierResult {
  words[at + MISSING]! += bytes;
  let left = lanes;
  while (left > 0) {
    const pending = words[at + PENDING]!;
    if (count > pending) return BarrierResult.overArrival;
    const together = Math.min(left, Math.floor(pending / count));
    words[at + PENDING]! -= together * count;
    left -= together;
    if (!completeIfDone(words, at) && left > 0 && words[at + PENDING] === 0)
      return BarrierResult.overArrival;
  }
  return BarrierResult.done;
}

/**
 * Removes one party from a barrier permanently, like {@link arriveDrop}, whether or not the party
 * has arrived in the current phase: `phase` is the one of its next arrival.
 */
export function withdraw(words: Int32Array, at: number, phase: number): BarrierResult {
  if (!lock(words, at)) return BarrierResult.poisoned;
  words[at + EXPECTED]! -= 1;
  const isMissed = ((Atomics.load(words, at) >>> PHASE_SHIFT) & 1) === (phase & 1);
  if (isMissed) {
    words[at + PENDING]! -= 1;
    completeIfDone(words, at);
  }
  return unlock(words, at, BarrierResult.done);
}
