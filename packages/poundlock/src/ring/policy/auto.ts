// Looks for longer than a wake-up takes, but only where every thread has a CPU of its own.
import type { Policy } from './policy.ts';

/**
 * About 100 µs, where a wake-up takes 20 to 40. A thread that looked for less would give up before
 * a peer that sleeps can answer, so that two who once slept put each other to sleep for ever.
 * Looking while the peer has no CPU only keeps the peer from answering.
 */
const LOOKS = 800;

export const auto: Policy = ({ threads, cpus }) => (threads <= cpus ? LOOKS : 0);
