// Errors of pipelines whose roles copy and multiply, as built: bench/real.mjs writes this.

/** By model: launches with copies of tensor maps that nothing was fitted to. */
export const ONE_ROLE_ERRORS = {
  h200: { launches: 30, medianPercent: 9, mostPercent: 24 },
} as const;
