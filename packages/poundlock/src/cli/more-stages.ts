// What more stages would gain, for the sentence with which a simulated run begins.
import { InputError } from '@poundlock/core/internal/base';
import type { MoreStages, StageGain } from '@poundlock/core/internal/finding';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { stageParameters } from '../advise/index.ts';
import { costsOf, limitsOf, predict, timedProgram, type GpuModel } from '../simulate/index.ts';

/** The run that others are compared with. */
export interface ComparedRun {
  readonly model: GpuModel;
  readonly seed: number;
  readonly totalCycles: number;
  readonly events: number;
}

/** Nothing else is simulated beside a longer run. */
const MAX_EVENTS = 500_000;
/** The most stages that are tried. */
const MAX_STAGES = 16;
/** What is worth a line, and what is as good as the best. */
const GAIN = 0.98;
const NEARLY = 1.01;

/** Simulates a few numbers of stages above those of a run. */
export function moreStages(
  kernel: Kernel,
  resolved: ResolvedParameters,
  run: ComparedRun,
): MoreStages {
  if (run.events > MAX_EVENTS) return { tried: 0, best: null };
  const gains = stageParameters(kernel, resolved).flatMap((parameter) => {
    const now = Number(resolved.values[parameter]);
    const values = [...new Set([now + 1, now + 2, 2 * now])].filter((one) => one <= MAX_STAGES);
    return values.flatMap((value): StageGain[] => {
      const totalCycles = cyclesWith(kernel, resolved.change({ [parameter]: value }), run);
      return totalCycles === null ? [] : [{ parameter, value, totalCycles }];
    });
  });
  const fastest = gains.reduce((least, one) => Math.min(least, one.totalCycles), Infinity);
  const best = gains
    .filter((one) => one.totalCycles <= fastest * NEARLY)
    .toSorted((a, b) => a.value - b.value)[0];
  const isWorth = best !== undefined && best.totalCycles <= run.totalCycles * GAIN;
  return { tried: gains.length, best: isWorth ? best : null };
}

/** The cycles with other parameters; `null` where it does not run, or does not fit. */
function cyclesWith(
  kernel: Kernel,
  changed: ResolvedParameters,
  { model, seed }: ComparedRun,
): number | null {
  try {
    const program = timedProgram(kernel, model, changed);
    if (limitsOf(program, costsOf(model)).length > 0) return null;
    return predict(program, model, seed);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
