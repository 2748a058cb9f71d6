// Whether the best choice by prediction is nearly the best one by measurement.
import type { MeasuredCase } from './cases.ts';

export interface ChoiceSummary {
  /** Groups of runs that differ in the chosen parameters alone, with more than one run each. */
  readonly groups: number;
  /** How many of the predicted best runs are within the tolerance of the measured best. */
  readonly nearBest: number;
}

/** The predicted best may be slower than the measured best by this much. */
export const NEAR_BEST = 0.02;

/** Chooses among the runs that differ in `parameters` alone. */
export function choiceSummary(
  cases: readonly MeasuredCase[],
  errors: readonly number[],
  parameters: readonly string[],
): ChoiceSummary {
  const groups = Map.groupBy(cases.keys(), (at) => {
    const { kernel, program } = cases[at]!;
    const chosen = parameters.map((name) => [name, '']);
    return JSON.stringify([kernel, { ...program.params, ...Object.fromEntries(chosen) }]);
  });
  const several = [...groups.values()].filter((group) => group.length > 1);
  const nearBest = several.filter((group) => {
    const measured = (at: number): number => cases[at]!.measuredCycles;
    const predicted = (at: number): number => measured(at) * (1 + errors[at]!);
    const chosen = group.reduce((best, at) => (predicted(at) < predicted(best) ? at : best));
    const best = Math.min(...group.map(measured));
    return measured(chosen) <= best * (1 + NEAR_BEST);
  });
  return { groups: several.length, nearBest: nearBest.length };
}
