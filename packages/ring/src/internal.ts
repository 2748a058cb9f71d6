// The parts of a ring, for engines that run whole kernels on them.
import './own-folder.ts';
export * as barriers from './barrier.ts';
export { completed, hasPassed, layBarrier, Outcome, passes } from './barrier.ts';
export { debtsWith, NAP_MS, type Debts } from './deferred-wakeups.ts';
export { makeMemory, MAX_MEMORY_BYTES, moverOf } from './memory.ts';
export { Patience } from './adaptive-spin.ts';
export { cpuCount, looksOf, type Looks } from './policy/index.ts';
export { AHEAD_WORDS, shortCallsOn, type ShortCalls } from './wasm-atomics.ts';
export {
  advance,
  LOCK,
  mark,
  PHASE,
  PHASE_SHIFT,
  POISON,
  SIMPLE,
  sleep,
  SLEEPER,
  wake,
} from './futex-word.ts';
