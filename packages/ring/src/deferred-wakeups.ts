// Wake-ups that a thread puts off until it sleeps itself. With one CPU whoever is woken can only
// run instead of who woke it: woken by the first tile of a ring, it sleeps again after that one.
// That spends two switches on each tile, where a whole ring can do with two.

/** How long a turn may take, from the first wake-up to its own sleep, that puts wake-ups off. */
const FAST_MS = 1;
/** Trust from which on wake-ups are put off: a fast turn gives one, a slow one takes some. */
const TRUSTED = 16;
const MOST_TRUST = 32;
const SLOW_COSTS = 8;
/** The most wake-ups that are owed at a time; one more is made at once. */
const MOST = 64;

/**
 * The most that a thread sleeps before it looks again, where its peer may owe it a wake-up. A timer
 * that ends before the system's own next tick would cost as much as a switch.
 */
export const NAP_MS = 20;

/**
 * The debts of one thread, to all of its rings: it pays before it sleeps in any of them, and as it
 * leaves one. `examples/models/put-off.ts` proves that nobody sleeps for ever then. A thread that
 * turns to something else instead is bounded twice: only threads whose turns are fast put off, and
 * sleepers look again.
 */
export class Debts {
  readonly #now: () => number;
  readonly #words: Int32Array[] = [];
  readonly #at: number[] = [];
  /** When the first wake-up of this turn was made or put off; −1 before. */
  #since = -1;
  #trust = 0;

  /** `now` answers milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Wakes who sleeps on a word, now or later. */
  owe(words: Int32Array, at: number): void {
    if (this.#since < 0) this.#since = this.#now();
    if (this.#trust < TRUSTED || this.#at.length === MOST) {
      Atomics.notify(words, at);
      return;
    }
    this.#words.push(words);
    this.#at.push(at);
  }

  /** Makes every wake-up that is owed: before the thread sleeps, or leaves a ring. */
  pay(): void {
    if (this.#since < 0) return;
    const isFast = this.#now() - this.#since <= FAST_MS;
    const trust = this.#trust + (isFast ? 1 : -SLOW_COSTS);
    this.#trust = Math.max(0, Math.min(trust, MOST_TRUST));
    this.#since = -1;
    for (const [index, words] of this.#words.entries()) Atomics.notify(words, this.#at[index]!);
    this.#words.length = 0;
    this.#at.length = 0;
  }
}

const own = new Debts(() => performance.now());

/** The debts of this thread, where putting off helps: with one CPU; else `null`. */
export function debtsWith(cpus: number): Debts | null {
  return cpus === 1 ? own : null;
}
