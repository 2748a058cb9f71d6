// Waiting for a phase: look for a while, then sleep, and never longer than asked.
import { hasPassed } from './barrier.ts';
import { NAP_MS, type Debts } from './deferred-wakeups.ts';
import type { Patience } from './adaptive-spin.ts';
import { END, POISON, sleep, sleepAsync } from './futex-word.ts';

/** How a wait ended. `moved`: the shared register is no longer where the wait began. */
export const Woken = { passed: 0, ended: 1, poisoned: 2, timedOut: 3, moved: 4 } as const;
export type Woken = (typeof Woken)[keyof typeof Woken];
const WAITING = -1;

/** What is waited for, and, where endpoints share a register, where that must stand meanwhile. */
export interface Wanted {
  /** The barrier's word. */
  at: number;
  phase: number;
  /** Whether the word counts phases, and not only their parity is known. */
  isCount: boolean;
  /** The register's word, −1 where it is nobody else's, and its value as the wait began. */
  registerAt: number;
  register: number;
}

function judge(words: Int32Array, seen: number, wanted: Wanted): Woken | typeof WAITING {
  if ((seen & POISON) !== 0) return Woken.poisoned;
  if (hasPassed(seen, wanted.phase, wanted.isCount)) return Woken.passed;
  // While the register stands, nobody has taken the stage, so the parity can not be a lap late.
  if (wanted.registerAt >= 0 && Atomics.load(words, wanted.registerAt) !== wanted.register) {
    return Woken.moved;
  }
  return (seen & END) === 0 ? WAITING : Woken.ended;
}

/**
 * Blocks until a phase has completed: spins as long as its patience lasts, then sleeps. `debts` are
 * paid before; where there may be any, the peer may have some, too, and a sleeper looks again.
 */
export function waitPhase(
  words: Int32Array,
  wanted: Wanted,
  patience: Patience,
  timeoutMs: number,
  debts: Debts | null,
): Woken {
  patience.spin(words, wanted.at, wanted.phase, wanted.isCount);
  let deadline = -1;
  for (;;) {
    const seen = Atomics.load(words, wanted.at);
    const woken = judge(words, seen, wanted);
    if (woken !== WAITING) return woken;
    if (deadline < 0) deadline = performance.now() + timeoutMs;
    const left = deadline - performance.now();
    if (left <= 0) return Woken.timedOut;
    debts?.pay();
    sleep(words, wanted.at, seen, debts === null ? left : Math.min(left, NAP_MS));
  }
}

const KEEP_ALIVE_MS = 0x3fffffff;

/** As {@link waitPhase}, without blocking the event loop; `signal` ends it with its reason. */
export async function waitPhaseAsync(
  words: Int32Array,
  wanted: Wanted,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  debts: Debts | null,
): Promise<Woken> {
  signal?.throwIfAborted();
  debts?.pay();
  const first = judge(words, Atomics.load(words, wanted.at), wanted);
  if (first !== WAITING) return first;
  const deadline = performance.now() + timeoutMs;
  // What waits in Atomics.waitAsync keeps no process alive; a timer does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const seen = Atomics.load(words, wanted.at);
      const woken = judge(words, seen, wanted);
      if (woken !== WAITING) return woken;
      const left = deadline - performance.now();
      if (left <= 0) return Woken.timedOut;
      const nap = debts === null ? left : Math.min(left, NAP_MS);
      await Promise.race([sleepAsync(words, wanted.at, seen, nap), aborted.promise]);
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    clearInterval(alive);
  }
}
