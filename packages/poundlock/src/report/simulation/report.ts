// What the reporters of `simulate` are given: one run in detail, or many by their total time.
import type { Parameters } from '@poundlock/core/internal/finding';
import type { GpuModel, SimulateResult } from '../../simulate/index.ts';
import type { Paint } from '../paint.ts';

export interface SimulatedRun {
  readonly params: Parameters;
  readonly totalCycles: number;
}

export interface SimulationReport {
  readonly file: string;
  readonly kernel: string;
  readonly model: GpuModel;
  /** Everything about one run; `null` where many were asked for. */
  readonly single: SimulateResult | null;
  readonly runs: readonly SimulatedRun[];
  /** The parameters that were swept, the last one fastest. */
  readonly swept: readonly string[];
}

export interface SimulationSurroundings {
  readonly paint: Paint;
  /** Columns of the terminal. */
  readonly columns: number;
  /** The source of the charting library, for pages that stand alone. */
  readonly chartLibrary: () => string;
}

export interface SimulationReporter {
  readonly name: string;
  readonly render: (report: SimulationReport, surroundings: SimulationSurroundings) => string;
}
