// What a launch made of a GPU, by the model in which warps compete, and how far to trust it.
import type { DeviceUse, Roof } from '@poundlock/core/internal/finding';
import type { LaunchRun } from '../launch-run.ts';
import type { GpuModel } from '../model.ts';
import { ISSUED_ERRORS } from './issued-errors.ts';
import type { IssuedTime } from './launch-issue.ts';

/** The figures of a launch; its roles and lines are those of its first block alone. */
export function issuedUseOf(time: IssuedTime, run: LaunchRun, model: GpuModel): DeviceUse {
  const { occupancy, waveCycles } = run;
  return {
    microseconds: time.cycles / time.megahertz,
    timed: 'warps',
    waveCycles,
    occupancy,
    roofs: roofsOf(time, model).toSorted((a, b) => b.achieved / b.peak - a.achieved / a.peak),
    roofline: null,
    accuracy: accuracyOf(model),
  };
}

/** In percent of what each gives: nearest to its roof is what a launch waits for. */
function roofsOf({ issuing, multiplying, l2, hbm }: IssuedTime, { parameters }: GpuModel): Roof[] {
  const roof = (name: string, part: number, peak: number, unit: string): Roof[] =>
    part > 0 ? [{ name, achieved: part * peak, peak, unit }] : [];
  return [
    ...roof('issue of the schedulers', issuing, 100, '%'),
    ...roof('tensor core', multiplying, 100, '%'),
    ...roof('L2', l2, parameters.l2BytesPerNanosecond.value, 'GB/s'),
    ...roof('HBM', hbm, parameters.hbmBytesPerNanosecond.value, 'GB/s'),
  ];
}

const HOW =
  'from the end of the launch before, with the same data: all warps of an SM issue side by side; ' +
  'roles and lines are those of one block alone';
const ESTIMATE =
  'an estimate: ptxas fuses, moves and deletes instructions of PTX, and says how many registers';

function accuracyOf({ name }: GpuModel): string[] {
  const errors: Readonly<Record<string, IssuedErrors>> = ISSUED_ERRORS;
  const known = errors[name];
  if (known === undefined)
    return ['error: not known: no such kernel was measured on it', HOW, ESTIMATE];
  const { launches, medianPercent, mostPercent } = known;
  return [
    `error: ± ${medianPercent} % (median) and ± ${mostPercent} % (90 %), on ${launches} launches ` +
      'of public programs that nothing was fitted to',
    HOW,
    ESTIMATE,
  ];
}

/** The error of the model on launches that it was not fitted to. */
export interface IssuedErrors {
  readonly launches: number;
  readonly medianPercent: number;
  /** Of nine launches in ten. */
  readonly mostPercent: number;
}
