// How long one thread looks before it sleeps, and that it stops looking where that never helps.
import { hasPassed } from './barrier.ts';
import type { Looks } from './policy/index.ts';
import { Trial } from './spin-or-park.ts';
import { END, POISON } from './futex-word.ts';

/** Spins in a row that nobody ended: then the peer is slow, or has no CPU. */
const STRIKES = 8;
/** How long a thread only sleeps after that, at first and at most; it doubles each time. */
const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 16;

/** What a thread does between two looks, so that it does not take the word's cache line away. */
const RESTS = 4;
const { pause = restless } = Atomics as { readonly pause?: () => void };
const idle = new Int32Array(1);

/** For engines without Atomics.pause: about as long. */
function restless(): void {
  for (let count = 0; count < 4; count++) Atomics.load(idle, 0);
}

/**
 * Looks at most so often whether a wait is over, and answers how often; −1 where it is not. A look
 * costs the peer its cache line, and the peer is who ends the wait: with short rests it gets some
 * stages on before the next look.
 */
function look(
  words: Int32Array,
  at: number,
  phase: number,
  isCount: boolean,
  most: number,
): number {
  for (let looks = 1; looks <= most; looks++) {
    for (let rests = RESTS; rests > 0; rests--) pause();
    const seen = Atomics.load(words, at);
    if (hasPassed(seen, phase, isCount) || (seen & (POISON | END)) !== 0) return looks;
  }
  return -1;
}

/**
 * The patience of one thread with its peers. Spinning is right while the peer runs on another CPU;
 * that there are enough CPUs does not say that they are free, but spins that fail do.
 */
export class Patience {
  readonly #looks: Looks;
  readonly #isRelay: () => boolean;
  #strikes = 0;
  #pauseMs = FIRST_PAUSE_MS;
  /** When it spins again; 0 while it does. */
  #pauseEnd = 0;
  /** `null` where the policy wants looks, whatever comes of them. */
  readonly #trial: Trial | null;

  /**
   * `looks`: what the policy grants, see `policy/`; `isRelay`: whether the thread is a relay now;
   * `tries`: whether to sleep instead is tried.
   */
  constructor(looks: Looks, isRelay: () => boolean, tries: boolean) {
    this.#looks = looks;
    this.#isRelay = isRelay;
    this.#trial = tries ? new Trial(() => performance.now()) : null;
  }

  /**
   * Looks until the word at `at` shows that `phase` has completed or that something is wrong, or
   * until patience is at its end.
   */
  spin(words: Int32Array, at: number, phase: number, isCount: boolean): void {
    const { plain, relay } = this.#looks;
    const most = relay > plain && this.#isRelay() ? relay : plain;
    if (most === 0) return;
    const isProbe = this.#pauseEnd > 0;
    if (isProbe && performance.now() < this.#pauseEnd) return;
    // Only a count says how many stages there have been since the wait before.
    const trial = isCount ? this.#trial : null;
    const isAsleep = trial?.isSleeping === true;
    const looks = isAsleep ? 0 : look(words, at, phase, isCount, most);
    trial?.waited(phase, looks < 0 ? most : looks);
    if (isAsleep) return;
    if (looks < 0) {
      if (isProbe || ++this.#strikes >= STRIKES) this.#pause();
      return;
    }
    this.#strikes = 0;
    if (!isProbe) return;
    this.#pauseEnd = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  #pause(): void {
    this.#pauseEnd = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
  }
}
