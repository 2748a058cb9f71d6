// Looks for as long as ten wake-ups take: for peers that answer at once, on CPUs of their own.
import type { Policy } from './policy.ts';

/** Bounded, because a peer may never answer; `auto` is better where CPUs may be short. */
const LOOKS = 1000;

export const spin: Policy = ({ threads, cpus }) => (threads <= cpus ? LOOKS : 0);
