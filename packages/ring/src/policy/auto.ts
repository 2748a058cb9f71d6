// Looks for longer than a wake-up takes, but only where every thread has a CPU of its own, or all
// but one and the others can take turns.
import type { Policy } from './policy.ts';

/**
 * About 100 µs, where a wake-up takes 20 to 40. A thread that looked for less would give up before
 * a peer that sleeps can answer, so that two who once slept put each other to sleep for ever.
 * Looking while the peer has no CPU only keeps the peer from answering.
 */
const LOOKS = 800;

/**
 * With one thread more than CPUs, somebody has to sleep. Best the ends of a chain: a relay that
 * looks keeps its CPU, and as it lets one of its peers go on, the other is what sleeps. Of a chain
 * of n threads n − 2 are relays, so that one CPU is left to its ends.
 */
export const auto: Policy = ({ threads, cpus, isRelay }) => {
  return threads <= cpus || (isRelay && cpus > 1 && threads === cpus + 1) ? LOOKS : 0;
};
