// The knee of a sweep: the first value after which more gains next to nothing.

/** A run is as good as the best within one percent. */
const KNEE_TOLERANCE = 0.01;

/** The index of the first run that is as good as the best one. */
export function kneeOf(runs: readonly { readonly totalCycles: number }[]): number {
  const best = Math.min(...runs.map((run) => run.totalCycles));
  return runs.findIndex((run) => run.totalCycles <= best * (1 + KNEE_TOLERANCE));
}
