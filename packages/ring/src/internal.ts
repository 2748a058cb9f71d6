// Package-private exports: barriers, wait words and policies, for poundlock's `run` engine.
import './own-folder.ts';
export * as barriers from './barrier.ts';
export { completed, hasPassed, initializeBarrier, BarrierResult, passes } from './barrier.ts';
export { deferredWakeupsFor, MAX_SLEEP_MS, type DeferredWakeups } from './deferred-wakeups.ts';
export { createSharedMemory, MAX_MEMORY_BYTES, bulkMemoryOf } from './memory.ts';
export { AdaptiveSpin } from './adaptive-spin.ts';
export { cpuCount, spinLimitsOf, type SpinLimits } from './policy/index.ts';
export { AHEAD_STRIDE, wasmAtomicsFor, type WasmAtomics } from './wasm-atomics.ts';
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
