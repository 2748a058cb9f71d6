// A barrier of the machine in shared memory: pending arrivals, missing bytes, phase (M01–M07).
import { advance, LOCK, PHASE, PHASE_SHIFT, POISON, SIMPLE, SLEEPER } from './futex-word.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const NEXT: number = PHASE;
const SHIFT: number = PHASE_SHIFT;
const ASLEEP: number = SLEEPER;
/** The marks that {@link arriveLast} looks at, and what they must be. */
const STOPS: number = SIMPLE | LOCK | POISON;
const GOES: number = SIMPLE;

/** Words of one barrier, on a cache line of its own. */
export const STATE = 0;
const PENDING = 1;
const MISSING = 2;
const EXPECTED = 3;
export const BARRIER_WORDS = 16;
/** The values of EXPECTED that mean no barrier: before `init`, and after `invalidate`. */
export const UNINITIALISED = -2;
export const INVALID = -1;

/** What an operation on a barrier answers. */
export const Outcome = {
  done: 0,
  /** The ring is poisoned: the operation did nothing. */
  poisoned: 1,
  /** More arrivals than were pending (M12): the operation did nothing. */
  overArrival: 2,
  uninitialised: 3,
  invalid: 4,
  alreadyLive: 5,
} as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** M01, before any thread uses it: `expected` arrivals per phase, or 0 for a later `init`. */
export function layBarrier(words: Int32Array, at: number, expected: number): void {
  words[at + EXPECTED] = expected === 0 ? UNINITIALISED : expected;
  words[at + PENDING] = expected;
  words[at + MISSING] = 0;
  words[at + STATE] = expected === 1 ? SIMPLE : 0;
}

/**
 * M03 for one arrival, where nothing else is missing: then the whole barrier is its STATE, and one
 * compare-and-exchange is the arrival, the end of the phase and the look for sleepers. `false`
 * where it has done nothing.
 */
function arriveLast(words: Int32Array, at: number): boolean {
  // A plain read is enough for a guess: the exchange judges it.
  const seen = words[at]!;
  if ((seen & STOPS) !== GOES) return false;
  const next = ((seen & ~ASLEEP) + NEXT) | 0;
  if (Atomics.compareExchange(words, at, seen, next) !== seen) return false;
  if ((seen & ASLEEP) !== 0) Atomics.notify(words, at);
  return true;
}

/**
 * M03: `count` arrivals by each of `lanes` threads, one after the other; `bytes` are expected with
 * the first.
 */
export function arrive(
  words: Int32Array,
  at: number,
  count: number,
  lanes: number,
  bytes: number,
): Outcome {
  if (count === 1 && lanes === 1 && bytes === 0 && arriveLast(words, at)) {
    return Outcome.done;
  }
  if (!lock(words, at)) return Outcome.poisoned;
  const life = lifeOf(words, at);
  return unlock(words, at, life === Outcome.done ? addLanes(words, at, count, lanes, bytes) : life);
}

/** M04: `bytes` more, or, negative, fewer, are missing. */
export function addBytes(words: Int32Array, at: number, bytes: number): Outcome {
  if (!lock(words, at)) return Outcome.poisoned;
  const life = lifeOf(words, at);
  if (life === Outcome.done) {
    words[at + MISSING]! += bytes;
    settle(words, at);
  }
  return unlock(words, at, life);
}

/** M05: `count` threads leave for good. */
export function arriveDrop(words: Int32Array, at: number, count: number): Outcome {
  if (!lock(words, at)) return Outcome.poisoned;
  const life = lifeOf(words, at);
  if (life !== Outcome.done) return unlock(words, at, life);
  if (count > words[at + PENDING]!) return unlock(words, at, Outcome.overArrival);
  words[at + EXPECTED]! -= count;
  words[at + PENDING]! -= count;
  settle(words, at);
  return unlock(words, at, Outcome.done);
}

/** M01: starts a barrier that is not live. */
export function init(words: Int32Array, at: number, count: number): Outcome {
  if (!lock(words, at)) return Outcome.poisoned;
  if (words[at + EXPECTED]! >= 0) return unlock(words, at, Outcome.alreadyLive);
  words[at + EXPECTED] = count;
  words[at + PENDING] = count;
  words[at + MISSING] = 0;
  Atomics.and(words, at, (1 << PHASE_SHIFT) - 1);
  return unlock(words, at, Outcome.done);
}

/** M02: ends a barrier's life. */
export function invalidate(words: Int32Array, at: number): Outcome {
  if (!lock(words, at)) return Outcome.poisoned;
  const life = lifeOf(words, at);
  if (life === Outcome.done) words[at + EXPECTED] = INVALID;
  return unlock(words, at, life);
}

/** Why a barrier can not be reached (M02); exact under its lock, else as of some moment. */
export function lifeOf(words: Int32Array, at: number): Outcome {
  const expected = words[at + EXPECTED]!;
  if (expected >= 0) return Outcome.done;
  return expected === INVALID ? Outcome.invalid : Outcome.uninitialised;
}

/** Phases completed so far, modulo 2^27. */
export function completed(words: Int32Array, at: number): number {
  return Atomics.load(words, at) >>> PHASE_SHIFT;
}

/** What a thread sees of a barrier at one moment, for reports. */
export function inspect(words: Int32Array, at: number) {
  return {
    phase: completed(words, at),
    pending: words[at + PENDING]!,
    missing: words[at + MISSING]!,
    expected: words[at + EXPECTED]!,
  };
}

/** M07: whether a wait for `phase` passes in the STATE that was seen. */
export function passes(seen: number, phase: number): boolean {
  return (((seen >>> SHIFT) ^ phase) & 1) !== 0;
}

/** Whether a word's count shows that `phase` is over: by its parity, or by counting (M09). */
export function hasPassed(seen: number, phase: number, isCount: boolean): boolean {
  if (!isCount) return passes(seen, phase);
  // Counts wrap at 27 bits; phases that are compared are never far apart.
  return (((seen >>> PHASE_SHIFT) - phase) << PHASE_SHIFT) >> PHASE_SHIFT > 0;
}

/** Looks at a lock that is held before a thread lets its holder, who may have no CPU, run. */
const LOCK_LOOKS = 200;
const LOCK_NAP_MS = 0.05;

/** Takes the lock; `false` when the ring is poisoned, since its holder may be dead. */
function lock(words: Int32Array, at: number): boolean {
  for (let looks = 1; ; looks++) {
    const seen = Atomics.load(words, at);
    if ((seen & POISON) !== 0) return false;
    if ((seen & LOCK) !== 0) {
      if (looks % LOCK_LOOKS === 0) nap(words, at, seen);
      continue;
    }
    if (Atomics.compareExchange(words, at, seen, seen | LOCK) === seen) return true;
  }
}

/** Sleeps for a moment where that is allowed: not in a browser's main thread, which looks on. */
function nap(words: Int32Array, at: number, seen: number): void {
  try {
    Atomics.wait(words, at, seen, LOCK_NAP_MS);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Gives the lock back, with SIMPLE as it is now. */
function unlock<T extends Outcome>(words: Int32Array, at: number, outcome: T): T {
  const isSimple =
    words[at + EXPECTED] === 1 && words[at + PENDING] === 1 && words[at + MISSING] === 0;
  for (;;) {
    const seen = Atomics.load(words, at);
    const next = (seen & ~(LOCK | SIMPLE)) | (isSimple ? SIMPLE : 0);
    if (Atomics.compareExchange(words, at, seen, next) === seen) return outcome;
  }
}

/** M06, under the lock: a phase ends iff no arrival is pending and no byte is missing. */
function settle(words: Int32Array, at: number): boolean {
  if (words[at + PENDING] !== 0 || words[at + MISSING] !== 0) return false;
  words[at + PENDING] = words[at + EXPECTED]!;
  advance(words, at);
  return true;
}

/** M03, under the lock. Lanes that stay inside the phase are taken together. */
function addLanes(
  words: Int32Array,
  at: number,
  count: number,
  lanes: number,
  bytes: number,
): Outcome {
  words[at + MISSING]! += bytes;
  let left = lanes;
  while (left > 0) {
    const pending = words[at + PENDING]!;
    if (count > pending) return Outcome.overArrival;
    const together = Math.min(left, Math.floor(pending / count));
    words[at + PENDING]! -= together * count;
    left -= together;
    if (!settle(words, at) && left > 0 && words[at + PENDING] === 0) return Outcome.overArrival;
  }
  return Outcome.done;
}

/**
 * Takes one party out of a barrier for good, like {@link arriveDrop}, whether or not it has arrived
 * in the current phase: `phase` is the one that it would arrive for next.
 */
export function withdraw(words: Int32Array, at: number, phase: number): Outcome {
  if (!lock(words, at)) return Outcome.poisoned;
  words[at + EXPECTED]! -= 1;
  const isMissed = ((Atomics.load(words, at) >>> PHASE_SHIFT) & 1) === (phase & 1);
  if (isMissed) {
    words[at + PENDING]! -= 1;
    settle(words, at);
  }
  return unlock(words, at, Outcome.done);
}
