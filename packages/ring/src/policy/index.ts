// The waiting policies by name.
import { builtinModule } from '../platform.ts';
import { auto } from './auto.ts';
import type { PolicyContext, WaitPolicy, PolicyName } from './policy.ts';
import { spin } from './spin.ts';
import { wait } from './wait.ts';

const POLICIES: Readonly<Record<PolicyName, WaitPolicy>> = { auto, spin, wait };
/** The names of the wait policies. */
export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[];

/** Processors that this thread may run on, by its CPU affinity. */
export function cpuCount(): number {
  // Node 20 has no navigator.
  return builtinModule('node:os')?.availableParallelism() ?? navigator.hardwareConcurrency;
}

/** Polls of a wait before it sleeps: for any thread, and for a middle thread. */
export interface SpinLimits {
  readonly plain: number;
  readonly middle: number;
}

/** The spin limits of policy `name` for so many threads on `cpus`. */
export function spinLimitsOf(name: PolicyName, threads: number, cpus = cpuCount()): SpinLimits {
  const limit = (isMiddleThread: boolean): number =>
    POLICIES[name]({ threads, cpus, isMiddleThread });
  return { plain: limit(false), middle: limit(true) };
}

export type { PolicyContext, WaitPolicy, PolicyName };
