// Looks for about as long as a sleep would take, but only where every thread has a CPU of its own.
import type { Policy } from './policy.ts';

/** About 15 µs. Looking while the peer has no CPU only keeps the peer from answering. */
const LOOKS = 64;

export const auto: Policy = ({ threads, cpus }) => (threads <= cpus ? LOOKS : 0);
