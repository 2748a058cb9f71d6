// Adaptive spinning: how long a thread polls before it sleeps; spinning stops where it never helps.
import { hasPassed } from './barrier.ts';
import type { SpinLimits } from './policy/index.ts';
import { SpinOrPark } from './spin-or-park.ts';
import { END, POISON } from './futex-word.ts';

/** Spins in a row that timed out: then the peer is slow, or has no CPU. */
const MAX_FAILED_SPINS = 8;
/** How long spinning is then disabled, at first and at most; the time doubles on each failure. */
const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 16;

/** Pauses between two polls, so that polling does not take the word's cache line from the peer. */
const PAUSES_PER_POLL = 4;
const { pause = pauseFallback } = Atomics as { readonly pause?: () => void };
const idle = new Int32Array(1);

/** For engines without `Atomics.pause`: takes about as long. */
function pauseFallback(): void {
  for (let count = 0; count < 4; count++) Atomics.load(idle, 0);
}

/**
 * Polls a word at most `limit` times until the wait is over. Returns the number of polls, or −1 if
 * the wait is not over. Each poll takes the cache line from the peer that ends the wait; pauses let
 * the peer complete several stages between polls.
 */
function poll(
  words: Int32Array,
  at: number,
  phase: number,
  isCount: boolean,
  limit: number,
): number {
  for (let polls = 1; polls <= limit; polls++) {
    for (let pauses = PAUSES_PER_POLL; pauses > 0; pauses--) pause();
    const seen = Atomics.load(words, at);
    if (hasPassed(seen, phase, isCount) || (seen & (POISON | END)) !== 0) return polls;
  }
  return -1;
}

/**
 * The adaptive spinning of one endpoint. Spinning pays while the peer runs on another CPU. Having
 * enough CPUs does not mean that they are free; failed spins show that they are not.
 */
export class AdaptiveSpin {
  readonly #limits: SpinLimits;
  readonly #isMiddleThread: () => boolean;
  #failedSpins = 0;
  #pauseMs = FIRST_PAUSE_MS;
  /** When spinning is enabled again; 0 while it is enabled. */
  #pauseEnd = 0;
  /** `null` where the policy always spins. */
  readonly #spinOrPark: SpinOrPark | null;

  /**
   * `limits`: the polls that the policy allows, see `policy/`; `isMiddleThread`: whether the thread
   * is one now; `mayPark`: whether parking at once is measured against spinning.
   */
  constructor(limits: SpinLimits, isMiddleThread: () => boolean, mayPark: boolean) {
    this.#limits = limits;
    this.#isMiddleThread = isMiddleThread;
    this.#spinOrPark = mayPark ? new SpinOrPark(() => performance.now()) : null;
  }

  /**
   * Polls until the word at `at` shows that `phase` has completed or that the ring failed or ended,
   * or until the limit is reached.
   */
  spin(words: Int32Array, at: number, phase: number, isCount: boolean): void {
    const { plain, middle } = this.#limits;
    const limit = middle > plain && this.#isMiddleThread() ? middle : plain;
    if (limit === 0) return;
    const isProbe = this.#pauseEnd > 0;
    if (isProbe && performance.now() < this.#pauseEnd) return;
    // Only a counter shows how many stages passed since the previous wait.
    const spinOrPark = isCount ? this.#spinOrPark : null;
    const isParking = spinOrPark?.isParking === true;
    const polls = isParking ? 0 : poll(words, at, phase, isCount, limit);
    spinOrPark?.recordWait(phase, polls < 0 ? limit : polls);
    if (isParking) return;
    if (polls < 0) {
      if (isProbe || ++this.#failedSpins >= MAX_FAILED_SPINS) this.#pause();
      return;
    }
    this.#failedSpins = 0;
    if (!isProbe) return;
    this.#pauseEnd = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  #pause(): void {
    this.#pauseEnd = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
  }
}
