// Errors of predictions of launches whose warps compete: bench/real.mjs writes this.

/** By model, on launches that nothing was fitted to. */
export const ISSUED_ERRORS = {
  h200: { launches: 164, medianPercent: 10, mostPercent: 33 },
} as const;
