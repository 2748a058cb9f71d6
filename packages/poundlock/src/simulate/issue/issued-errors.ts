// Errors of predictions of launches whose warps compete: bench/real.mjs writes this.

/** By model, on launches that nothing was fitted to. */
export const ISSUED_ERRORS = {
  h200: { launches: 171, medianPercent: 10, mostPercent: 52 },
} as const;
