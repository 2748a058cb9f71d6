// Looks for as long as two wake-ups take: for peers that answer soon, on CPUs of their own.
import type { Policy } from './policy.ts';

/** Bounded, because a peer may never answer; `auto` is better where CPUs may be short. */
const LOOKS = 256;

export const spin: Policy = ({ threads, cpus }) => (threads <= cpus ? LOOKS : 0);
