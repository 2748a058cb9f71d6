// The errors of the models on the programs that were measured, as bench/results/calibration.md.

/** The error of a model on all rows of a measured program. */
export interface MeasuredProgram {
  readonly program:
    | 'two-role'
    | 'three-role'
    | 'release-order'
    | 'tensor-core'
    | 'tensormap'
    | 'styles'
    | 'store'
    | 'multicast';
  readonly medianPercent: number;
  readonly p95Percent: number;
}

const of = (
  program: MeasuredProgram['program'],
  medianPercent: number,
  p95Percent: number,
): MeasuredProgram => ({ program, medianPercent, p95Percent });

/** By model; `node bench/calibration.mjs` prints them. */
export const MEASURED: Readonly<Record<string, readonly MeasuredProgram[] | undefined>> = {
  h200: [
    of('two-role', 0.3, 3.6),
    of('three-role', 0.5, 2.8),
    of('release-order', 0.7, 6.2),
    of('tensor-core', 1.4, 6.0),
    of('tensormap', 1.7, 10.5),
    of('styles', 1.2, 10),
    of('store', 5.5, 16.4),
    of('multicast', 6.6, 35),
  ],
  h100: [
    of('two-role', 0.3, 8.4),
    of('three-role', 0.5, 3.1),
    of('release-order', 0.7, 4.6),
    of('tensor-core', 1.4, 8.2),
    of('tensormap', 1.7, 9.6),
    of('styles', 1.2, 10),
    of('store', 6.7, 16.4),
    of('multicast', 7.2, 34),
  ],
};
