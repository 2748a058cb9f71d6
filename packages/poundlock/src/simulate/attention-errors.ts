// Errors of pipelines whose products multiply what others made: bench/real.mjs writes this.

/** By model: launches with copies of tensor maps that nothing was fitted to. */
export const ATTENTION_ERRORS = {
  h200: { launches: 20, medianPercent: 3, mostPercent: 6 },
} as const;
