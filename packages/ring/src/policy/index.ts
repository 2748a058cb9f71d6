// The policies by name.
import { auto } from './auto.ts';
import type { Place, Policy, PolicyName } from './policy.ts';
import { spin } from './spin.ts';
import { wait } from './wait.ts';

const POLICIES: Readonly<Record<PolicyName, Policy>> = { auto, spin, wait };
/** The names of the wait policies. */
export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[];

/** Processors that this thread may run on, by its affinity. */
export function cpuCount(): number {
  return navigator.hardwareConcurrency;
}

/** How many looks a wait takes before it sleeps: of any thread, and of one that is a relay. */
export interface Looks {
  readonly plain: number;
  readonly relay: number;
}

/** The looks of policy `name`, for so many threads on `cpus`. */
export function looksOf(name: PolicyName, threads: number, cpus = cpuCount()): Looks {
  const looks = (isRelay: boolean): number => POLICIES[name]({ threads, cpus, isRelay });
  return { plain: looks(false), relay: looks(true) };
}

export type { Place, Policy, PolicyName };
