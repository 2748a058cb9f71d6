// Spins for as long as many wake-ups take: for peers that answer soon, on CPUs of their own.
import type { WaitPolicy } from './policy.ts';

/** About 1 ms: a peer may never answer. `auto` is better where CPUs may be scarce. */
const POLLS = 8000;

export const spin: WaitPolicy = ({ threads, cpus }) => (threads <= cpus ? POLLS : 0);
