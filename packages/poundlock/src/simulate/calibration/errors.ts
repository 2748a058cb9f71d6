// Accuracy of predictions: errors by program, and pairs of choices that are ranked correctly.
import type { MeasuredCase } from './cases.ts';

export interface ErrorSummary {
  readonly kernel: string;
  readonly runs: number;
  /** Absolute errors in percent. */
  readonly medianPercent: number;
  readonly p95Percent: number;
  readonly worstPercent: number;
}

/** The value that a share of the values is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

/** Summarizes errors by program. */
export function summarizeErrors(
  cases: readonly MeasuredCase[],
  errors: readonly number[],
): ErrorSummary[] {
  const byKernel = Map.groupBy(
    cases.map(({ kernel }, at) => ({ kernel, error: Math.abs(errors[at]!) * 100 })),
    ({ kernel }) => kernel,
  );
  return [...byKernel].map(([kernel, all]) => {
    const absolute = all.map(({ error }) => error);
    return {
      kernel,
      runs: absolute.length,
      medianPercent: quantile(absolute, 0.5),
      p95Percent: quantile(absolute, 0.95),
      worstPercent: Math.max(...absolute),
    };
  });
}

/** Two runs that differ in one choice alone, by their index. */
export interface Pair {
  readonly one: number;
  readonly other: number;
}

/** Pairs that differ by more than this are to be ranked correctly. */
export const DISTINGUISHABLE = 0.02;

/** The pairs of runs of a program that differ in `parameter` alone, and by how much is measured. */
export function pairsOf(cases: readonly MeasuredCase[], parameter: string): Pair[] {
  const groups = Map.groupBy(
    [...cases.keys()].filter((at) => parameter in cases[at]!.program.params),
    (at) => {
      const { kernel, program } = cases[at]!;
      return JSON.stringify([kernel, { ...program.params, [parameter]: '' }]);
    },
  );
  return [...groups.values()].flatMap(([one, other, ...more]) => {
    if (one === undefined || other === undefined || more.length > 0) return [];
    const ratio = cases[one]!.measuredCycles / cases[other]!.measuredCycles;
    return Math.abs(ratio - 1) > DISTINGUISHABLE ? [{ one, other }] : [];
  });
}

/** By how much the predictions favour what the measurements favour, as a logarithm of times. */
export function agreement(
  cases: readonly MeasuredCase[],
  errors: readonly number[],
  { one, other }: Pair,
): number {
  const measured = cases[one]!.measuredCycles / cases[other]!.measuredCycles;
  const predicted = measured * ((1 + errors[one]!) / (1 + errors[other]!));
  return Math.log(predicted) * Math.sign(measured - 1);
}
