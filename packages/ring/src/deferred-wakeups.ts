// Wake-ups that a thread defers until it sleeps itself. With one CPU, a woken thread preempts the
// thread that woke it and sleeps again after one tile: two context switches per tile. Deferring the
// wake-up needs two switches for a whole ring of tiles.

/** A turn, from the first wake-up to the thread's own sleep, is fast if it takes no longer. */
const FAST_TURN_MS = 1;
/** The confidence above which wake-ups are deferred. A fast turn adds 1, a slow one subtracts. */
const CONFIDENT = 16;
const MAX_CONFIDENCE = 32;
const SLOW_TURN_PENALTY = 8;
/** The most wake-ups that are deferred at a time; further ones happen at once. */
const MAX_DEFERRED = 64;

/**
 * The longest sleep before a thread checks again, where its peer may have deferred a wake-up. A
 * timer that ends before the system's next tick would cost as much as a context switch.
 */
export const MAX_SLEEP_MS = 20;

/**
 * The deferred wake-ups of one thread, for all of its rings. They are flushed before the thread
 * sleeps in any ring and when it leaves one. `examples/models/put-off.ts` proves that then no
 * thread sleeps forever. The delay by a thread that does other work is bounded twice: only threads
 * with fast turns defer, and sleeping threads check again after {@link MAX_SLEEP_MS}.
 */
export class DeferredWakeups {
  readonly #now: () => number;
  readonly #words: Int32Array[] = [];
  readonly #at: number[] = [];
  /** When the first wake-up of this turn was made or deferred; −1 before. */
  #turnStart = -1;
  #confidence = 0;

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Wakes the threads that sleep on a word, now or at the next flush. */
  defer(words: Int32Array, at: number): void {
    if (this.#turnStart < 0) this.#turnStart = this.#now();
    if (this.#confidence < CONFIDENT || this.#at.length === MAX_DEFERRED) {
      Atomics.notify(words, at);
      return;
    }
    this.#words.push(words);
    this.#at.push(at);
  }

  /** Makes every deferred wake-up; called before the thread sleeps or leaves a ring. */
  flush(): void {
    if (this.#turnStart < 0) return;
    const isFast = this.#now() - this.#turnStart <= FAST_TURN_MS;
    const confidence = this.#confidence + (isFast ? 1 : -SLOW_TURN_PENALTY);
    this.#confidence = Math.max(0, Math.min(confidence, MAX_CONFIDENCE));
    this.#turnStart = -1;
    for (const [index, words] of this.#words.entries()) Atomics.notify(words, this.#at[index]!);
    this.#words.length = 0;
    this.#at.length = 0;
  }
}

const threadWakeups = new DeferredWakeups(() => performance.now());

/** The deferred wake-ups of this thread where deferring helps: with one CPU; else `null`. */
export function deferredWakeupsFor(cpus: number): DeferredWakeups | null {
  return cpus === 1 ? threadWakeups : null;
}
