// The word that threads sleep on: what a signal and a sleeper owe each other, so that none is lost.
import type { Debts } from './deferred-wakeups.ts';

/**
 * Bits of a word that is waited for; the bits from {@link PHASE} on count.
 *
 * The protocol, which `examples/models/wake-up.ts` states as a program and `check` proves: whoever
 * wants to sleep first puts SLEEPER into the very value that it has judged, and sleeps only while
 * the word has that value; whoever changes the count takes SLEEPER out in the same step and then
 * wakes everybody. So a signal either comes before the sleeper's mark, and the sleeper sees it, or
 * after it, and the signal sees the mark.
 */
export const SLEEPER = 1;
/** Somebody changes the other words of the barrier; held for a few instructions only. */
export const LOCK = 2;
/** A peer has failed: every wait ends with an error. Never taken away. */
export const POISON = 4;
/** Whole barrier in one word: one arrival and no bytes are pending. See `barrier.ts`. */
export const SIMPLE = 8;
/** Nobody will signal this word any more: every endpoint of the other side has closed. */
export const END = 16;
/** One phase of the count. */
export const PHASE = 32;
/** How far the count is shifted. It wraps after 2^27 phases, an even number, as parities need. */
export const PHASE_SHIFT = 5;
/** All marks: what is below the count. */
export const MARKS = PHASE - 1;

/**
 * `phases` more: takes the sleepers' mark out in the same step, and wakes them. Answers the word as
 * it was. A plain read is enough for a guess: the exchange judges it.
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
 * As {@link advance}, for a word whose count one thread alone changes: it knows what comes next,
 * and an exchange of the count costs less than a compare-and-exchange. What that took out is
 * `seen`: a mark that somebody else had put there is put back, and its sleepers are woken again;
 * `examples/models/publish.ts` proves that to be enough. `debts` may wake later.
 */
export function settle(words: Int32Array, at: number, seen: number, debts: Debts | null): void {
  if ((seen & (POISON | END)) !== 0) mark(words, at, seen & (POISON | END));
  else if ((seen & SLEEPER) !== 0) wake(words, at, debts);
}

/** Wakes everybody who sleeps on a word; `debts` may do so later. */
export function wake(words: Int32Array, at: number, debts: Debts | null): void {
  if (debts === null) Atomics.notify(words, at);
  else debts.owe(words, at);
}

/** Puts `bits` into a word for good and wakes everybody who sleeps on it. */
export function mark(words: Int32Array, at: number, bits: number): void {
  Atomics.or(words, at, bits);
  Atomics.notify(words, at);
}

/**
 * Sleeps while a word has the value `seen`, at most `timeoutMs`. May return at any time; the caller
 * judges the word anew.
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
