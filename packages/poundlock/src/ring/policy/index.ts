// The policies by name.
import { auto } from './auto.ts';
import type { Place, Policy, PolicyName } from './policy.ts';
import { spin } from './spin.ts';
import { wait } from './wait.ts';

const POLICIES: Readonly<Record<PolicyName, Policy>> = { auto, spin, wait };
export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[];

/** Processors that this thread may run on, by its affinity. */
export function cpuCount(): number {
  return navigator.hardwareConcurrency;
}

/** How many looks a wait of `name` takes before it sleeps, for so many threads on `cpus`. */
export function looksOf(name: PolicyName, threads: number, cpus = cpuCount()): number {
  return POLICIES[name]({ threads, cpus });
}

export type { Place, Policy, PolicyName };
