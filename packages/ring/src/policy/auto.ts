// Spins for longer than a wake-up takes where every thread has its own CPU, or where all but one
// thread have, and this is a middle thread.
import type { WaitPolicy } from './policy.ts';

/**
 * About 100 µs, where a wake-up takes 20 to 40. A shorter spin would end before a sleeping peer can
 * answer, so that two threads that once slept would put each other to sleep on every stage.
 * Spinning while the peer has no CPU only delays the peer.
 */
const POLLS = 800;

/**
 * With one thread more than CPUs, one thread has to sleep, and the ends of a chain suit best: a
 * middle thread that spins keeps its CPU while one of its peers runs and the other sleeps. A chain
 * of n threads has n − 2 middle threads, which leaves one CPU to its ends.
 */
export const auto: WaitPolicy = ({ threads, cpus, isMiddleThread }) => {
  return threads <= cpus || (isMiddleThread && cpus > 1 && threads === cpus + 1) ? POLLS : 0;
};
