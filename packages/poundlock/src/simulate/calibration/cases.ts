// Measured runs for calibration: programs with their parameters and measured times.
import { Program, type Kernel, type KernelParameters } from '@poundlock/core/internal/program';
import type { Costs } from '../model.ts';
import { predictWith } from '../simulate.ts';

/** One measured run. */
export interface MeasuredCase {
  /** The program, and which row of its measurements it is. */
  readonly kernel: string;
  readonly row: number;
  readonly program: Program;
  readonly measuredCycles: number;
}

/** One program with all of its measured runs. */
export interface MeasuredKernel {
  readonly kernel: Kernel;
  readonly runs: readonly {
    readonly params: KernelParameters;
    readonly measuredCycles: number;
  }[];
}

/** Builds each program once, because it is predicted thousands of times. */
export function casesOf(kernels: readonly MeasuredKernel[]): MeasuredCase[] {
  return kernels.flatMap(({ kernel, runs }) =>
    runs.map(({ params, measuredCycles }, row) => {
      return {
        kernel: kernel.name,
        row,
        program: Program.together(kernel, params),
        measuredCycles,
      };
    }),
  );
}

/** The relative errors of the predictions: 0.01 is one percent too long. */
export function errorsOf(cases: readonly MeasuredCase[], costs: Costs): number[] {
  return cases.map(({ program, measuredCycles }) => {
    return predictWith(program, costs) / measuredCycles - 1;
  });
}
