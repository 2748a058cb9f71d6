// Shared memory of a CTA of which so many fit on an SM, as bench/cuda takes it.

/** Shared memory of an SM that the measured programs use, and what a CTA leaves for its barriers. */
const SM_BYTES = 230_400;
const LEFT_BYTES = 2048;

/** Bytes of each CTA where an SM is to hold `perSm`. */
export const sharedFor = (perSm: number): number => Math.floor(SM_BYTES / perSm) - LEFT_BYTES;
