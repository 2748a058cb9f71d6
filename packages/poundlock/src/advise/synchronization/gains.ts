// What changes gain of the time of a whole kernel: it is simulated with and without them.
import { InputError } from '@poundlock/core/internal/base';
import type { SimulatedGain, SimulatedReview } from '@poundlock/core/internal/finding';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { Change } from '@poundlock/ptx/internal/redundancy/sites';
import { edited } from '@poundlock/ptx/internal/redundancy/study';
import type { Study, StudiedRun } from '@poundlock/ptx/internal/redundancy/study';
import { costsOf, predictWith } from '../../simulate/index.ts';
import type { Costs, GpuModel } from '../../simulate/index.ts';
import { UNCHANGED } from './candidates.ts';
import type { Prices } from './prices.ts';

/** Simulations of a kernel, each with other latencies. */
const RUNS = 5;
/** Steps of all warps: a longer kernel is not simulated again for each change. */
const MAX_STEPS = 200_000;

/** Simulates the first run of a kernel with changes. */
export class Gains {
  readonly #study: Study;
  readonly #run: StudiedRun;
  readonly #prices: Prices;
  readonly #costs: Costs;
  /** The time of the kernel as it is, by seed; `null` where it cannot be simulated. */
  readonly #before: readonly number[] | null;

  constructor(study: Study, run: StudiedRun, prices: Prices, model: GpuModel) {
    this.#study = study;
    this.#run = run;
    this.#prices = prices;
    // A fence takes as long as its price says: it is no loop that reads a clock.
    this.#costs = { ...costsOf(model), spinStepCycles: 0, spinOverheadCycles: 0 };
    const steps = run.run.warps.reduce((sum, warp) => sum + warp.steps.length, 0);
    this.#before = steps > MAX_STEPS ? null : this.#times(UNCHANGED);
  }

  /** What a change gains; `null` where the kernel cannot be simulated. */
  of(change: Change): SimulatedGain | null {
    if (this.#before === null) return null;
    const after = this.#times(change);
    return after === null ? null : gainOf(this.#before, after);
  }

  /** What a change gains, with the time of the kernel as it is. */
  ofAll(change: Change): SimulatedReview | null {
    const gain = this.of(change);
    if (gain === null || this.#before === null) return null;
    return { runs: RUNS, totalCycles: median(this.#before), gain };
  }

  #times(change: Change): number[] | null {
    const fenceCyclesOf = (at: number): number => this.#prices(this.#study.effectOf(at)) ?? 0;
    try {
      const steps = edited(this.#run.run, change);
      const kernel = this.#study.kernelOfRun(steps, false, fenceCyclesOf);
      const program = Program.together(kernel, resolveParameters(kernel));
      return Array.from({ length: RUNS }, (_, run) =>
        predictWith(program, this.#costs, { seed: run + 1 }),
      );
    } catch (error) {
      // The model has no such program, or a bound of the simulation was reached.
      if (error instanceof InputError) return null;
      throw error;
    }
  }
}

/** The gain of runs with the same latencies before and after. */
export function gainOf(before: readonly number[], after: readonly number[]): SimulatedGain {
  const gains = before.map((cycles, run) => cycles - after[run]!);
  return { cycles: median(gains), least: Math.min(...gains), most: Math.max(...gains) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
