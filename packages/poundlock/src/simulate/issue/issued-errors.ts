// Errors of predictions of launches whose warps compete: bench/real.mjs writes this.

/** By model, on launches that nothing was fitted to. */
export const ISSUED_ERRORS = {
  h200: { launches: 0, medianPercent: 0, mostPercent: 0 },
} as const;
