// Errors of predictions of pipelines of public libraries, as built: bench/real.mjs writes this.

/** By model: launches with copies of tensor maps that nothing was fitted to. */
export const PIPELINE_ERRORS = {
  h200: { launches: 40, medianPercent: 9, mostPercent: 20 },
} as const;
