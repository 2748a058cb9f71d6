// Waits for a phase: spins for a while, then sleeps, up to a timeout.
import { hasPassed } from './barrier.ts';
import { MAX_SLEEP_MS, type DeferredWakeups } from './deferred-wakeups.ts';
import type { AdaptiveSpin } from './adaptive-spin.ts';
import { END, POISON, sleep, sleepAsync } from './futex-word.ts';

/** How a wait ended. `moved`: the shared register has changed since the wait began. */
export const WaitResult = { passed: 0, ended: 1, poisoned: 2, timedOut: 3, moved: 4 } as const;
export type WaitResult = (typeof WaitResult)[keyof typeof WaitResult];
const WAITING = -1;

/** The phase to wait for and, where endpoints share a register, the register's expected value. */
export interface WaitTarget {
  /** The barrier's word. */
  at: number;
  phase: number;
  /** Whether `phase` is an exact count, not only a parity. */
  isCount: boolean;
  /** The register's word, −1 where none is shared, and its value as the wait began. */
  registerAt: number;
  register: number;
}

function evaluate(
  words: Int32Array,
  seen: number,
  target: WaitTarget,
): WaitResult | typeof WAITING {
  if ((seen & POISON) !== 0) return WaitResult.poisoned;
  if (hasPassed(seen, target.phase, target.isCount)) return WaitResult.passed;
  // While the register is unchanged, no endpoint has claimed the stage: the parity is of this lap.
  if (target.registerAt >= 0 && Atomics.load(words, target.registerAt) !== target.register) {
    return WaitResult.moved;
  }
  return (seen & END) === 0 ? WAITING : WaitResult.ended;
}

/**
 * Blocks until a phase has completed: spins first, then sleeps. Deferred wake-ups are flushed
 * before sleeping. Where this thread may defer, so may the peer, and sleeps are bounded.
 */
export function waitPhase(
  words: Int32Array,
  target: WaitTarget,
  spin: AdaptiveSpin,
  timeoutMs: number,
  wakeups: DeferredWakeups | null,
): WaitResult {
  spin.spin(words, target.at, target.phase, target.isCount);
  let deadline = -1;
  for (;;) {
    const seen = Atomics.load(words, target.at);
    const result = evaluate(words, seen, target);
    if (result !== WAITING) return result;
    if (deadline < 0) deadline = performance.now() + timeoutMs;
    const left = deadline - performance.now();
    if (left <= 0) return WaitResult.timedOut;
    wakeups?.flush();
    sleep(words, target.at, seen, wakeups === null ? left : Math.min(left, MAX_SLEEP_MS));
  }
}

const KEEP_ALIVE_MS = 0x3fffffff;

/** As {@link waitPhase}, without blocking the event loop; `signal` ends it with its reason. */
export async function waitPhaseAsync(
  words: Int32Array,
  target: WaitTarget,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  wakeups: DeferredWakeups | null,
): Promise<WaitResult> {
  signal?.throwIfAborted();
  wakeups?.flush();
  const first = evaluate(words, Atomics.load(words, target.at), target);
  if (first !== WAITING) return first;
  const deadline = performance.now() + timeoutMs;
  // Atomics.waitAsync does not keep the process alive; a timer does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => void (abort = resolve));
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const seen = Atomics.load(words, target.at);
      const result = evaluate(words, seen, target);
      if (result !== WAITING) return result;
      const left = deadline - performance.now();
      if (left <= 0) return WaitResult.timedOut;
      const sleepMs = wakeups === null ? left : Math.min(left, MAX_SLEEP_MS);
      await Promise.race([sleepAsync(words, target.at, seen, sleepMs), aborted]);
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    clearInterval(alive);
  }
}
