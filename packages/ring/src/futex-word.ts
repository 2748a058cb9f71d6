// The futex word that threads sleep on, and the protocol by which no wake-up is lost.
import type { DeferredWakeups } from './deferred-wakeups.ts';

/**
 * Bits of a wait word; the bits from {@link PHASE} on are the count.
 *
 * The protocol is a program in `examples/models/wake-up.ts` that `check` certifies: before
 * sleeping, a thread adds SLEEPER to the exact value that it has evaluated and sleeps only while
 * the word has that value. A thread that changes the count clears SLEEPER in the same step and then
 * wakes all sleepers. So a signal either precedes the sleeper's mark, and the sleeper sees it, or
 * follows the mark, and the signal sees the mark.
 */
export const SLEEPER = 1;
/** The other words of the barrier are being changed; held for a few instructions only. */
export const LOCK = 2;
/** A peer has failed: every wait ends with an error. Never cleared. */
export const POISON = 4;
/** Whole barrier in one word: one arrival and no bytes are pending. See `barrier.ts`. */
export const SIMPLE = 8;
/** This word receives no more signals: every endpoint of the other side has closed. */
export const END = 16;
/** One phase of the count. */
export const PHASE = 32;
/** How far the count is shifted. It wraps after 2^27 phases, an even number, as parities need. */
export const PHASE_SHIFT = 5;
/** All marks: what is below the count. */
export const MARKS = PHASE - 1;

/**
 * Adds `phases` to the count, clears the sleepers' mark in the same step, and wakes the sleepers.
 * Returns the previous word. A plain read is enough for a guess: the exchange verifies it.
 */
export function advance(words: Int32Array, at: number, phases = 1): number {
  let seen = words[at]!;
  for (;;) {
    const next = ((seen & ~SLEEPER) + phases * PHASE) | 0;
    const found = Atomics.compareExchange(words, at, seen, next);
    if (found === seen) break;
    seen = found;
  }
  if ((seen & SLEEPER) !== 0) Atomics.notify(words, at);
  return seen;
}

/**
 * Completes an {@link advance} by plain exchange, which costs less than a compare-and-exchange and
 * suffices where a single thread changes the count. `seen` is the word that the exchange replaced:
 * POISON and END marks are set again and their sleepers woken; `examples/models/publish.ts` proves
 * that to be enough. `wakeups` may defer the wake-up.
 */
export function restoreMarks(
  words: Int32Array,
  at: number,
  seen: number,
  wakeups: DeferredWakeups | null,
): void {
  if ((seen & (POISON | END)) !== 0) mark(words, at, seen & (POISON | END));
  else if ((seen & SLEEPER) !== 0) wake(words, at, wakeups);
}

/** Wakes all threads that sleep on a word; `wakeups` may defer that. */
export function wake(words: Int32Array, at: number, wakeups: DeferredWakeups | null): void {
  if (wakeups === null) Atomics.notify(words, at);
  else wakeups.defer(words, at);
}

/** Sets `bits` in a word permanently and wakes all threads that sleep on it. */
export function mark(words: Int32Array, at: number, bits: number): void {
  Atomics.or(words, at, bits);
  Atomics.notify(words, at);
}

/** Removes `bits` from a word. */
export function unmark(words: Int32Array, at: number, bits: number): void {
  Atomics.and(words, at, ~bits);
}

/**
 * Sleeps while a word has the value `seen`, at most `timeoutMs`. Wake-ups may be spurious: the
 * caller evaluates the word again.
 */
export function sleep(words: Int32Array, at: number, seen: number, timeoutMs: number): void {
  const marked = seen | SLEEPER;
  if (marked !== seen && Atomics.compareExchange(words, at, seen, marked) !== seen) return;
  Atomics.wait(words, at, marked, timeoutMs);
}

/** As {@link sleep}, without blocking the thread: for event loops. */
export async function sleepAsync(
  words: Int32Array,
  at: number,
  seen: number,
  timeoutMs: number,
): Promise<void> {
  const marked = seen | SLEEPER;
  if (marked !== seen && Atomics.compareExchange(words, at, seen, marked) !== seen) return;
  const { async, value } = Atomics.waitAsync(words, at, marked, timeoutMs);
  if (async) await value;
}
